// The mail role: sends what is due, one mail at a time in each lane.
import type { Bell } from '#core/bell/bell.ts'
import type { Core } from '#core/context.ts'
import type { MailTransport } from '#core/mail/mail-transport.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import { startDrainLoop } from '../runtime/drain-loop.ts'

const POLL_MS = 2_000
const LANES = 2

/** Runs until disposed. */
export function startMail(core: Core, bell: Bell, transport: MailTransport): AsyncDisposable {
  const loop = startDrainLoop({
    name: 'mail',
    step: () => sendNextMail(core, transport),
    pollMs: POLL_MS,
    concurrency: LANES,
    log: core.log,
  })
  const listening = bell.consume('sealwright.mail.requested', loop.ring)
  return {
    async [Symbol.asyncDispose]() {
      listening[Symbol.dispose]()
      await loop[Symbol.asyncDispose]()
    },
  }
}
