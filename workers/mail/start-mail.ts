// The mail role: sends what is due, one mail at a time in each lane.
import type { Notifier } from '#core/messaging/notifier.ts'
import type { StorelessCore } from '#core/context.ts'
import { releaseLeases, type HeldLeases } from '#core/work/hold-lease.ts'
import type { MailTransport } from '#core/mail/mail-transport.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import { MailRequested } from '#core/messaging/messages.ts'
import type { Loop } from '../runtime/loop.ts'
import { startConsumer } from '../runtime/consume.ts'

const POLL_MS = 2_000
const LANES = 2

/** Runs until disposed. */
export function startMail(core: StorelessCore, notifier: Notifier, transport: MailTransport): Loop {
  const held: HeldLeases = new Set()
  const lanesAtWork = startConsumer({
    name: 'mail',
    notifier,
    subject: 'sealwright.mail.requested',
    message: MailRequested,
    lanes: LANES,
    pollMs: POLL_MS,
    log: core.log,
    work: (wanted) => sendNextMail(core, transport, wanted, held),
  })
  return { ...lanesAtWork, releaseLease: () => releaseLeases(held) }
}
