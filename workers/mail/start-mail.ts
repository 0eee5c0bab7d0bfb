// The mail role.
import type { StorelessCore } from '#core/context.ts'
import { MAIL_WORK } from '#core/mail/mail-job.ts'
import type { MailTransport } from '#core/mail/mail-transport.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import type { Notifier } from '#core/messaging/notifier.ts'
import type { Loop } from '../runtime/loop.ts'
import { startWorker } from '../runtime/start-worker.ts'

const CONCURRENCY = 2

/** Runs until disposed. */
export function startMail(core: StorelessCore, notifier: Notifier, transport: MailTransport): Loop {
  return startWorker({
    core,
    kind: MAIL_WORK,
    notifier,
    concurrency: CONCURRENCY,
    runNext: (wanted, held) => sendNextMail(core, transport, wanted, held),
  })
}
