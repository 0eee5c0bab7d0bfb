// Whether the mail server takes mails at all: tried at start and whenever it let a mail down for reasons of its own, until it does again.
import type { Logger } from '#core/platform/log.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { monitorDependency } from '#core/platform/process/dependency-monitor.ts'
import type { MailTransport, SendOutcome } from './mail-transport.ts'
import type { SmtpOutcome, SmtpTransport } from './smtp.ts'

/** Twice the longest wait of a mail that was denied: as long as mails are, each denial is followed by another within this time. */
const DENIAL_HOLDS_MS = 600_000

/** The same transport, which knows of a fault that concerns every mail. Its first try of the server is under way when this returns. */
export function watchSmtp(smtp: SmtpTransport, log: Logger): MailTransport {
  // A server that lets us sign in may refuse our sender all the same: what a mail was denied for is over when another is not.
  let denial: { sentence: string; at: number } | undefined
  /** A mail may find out whether the fault still is there. */
  let released = false
  let tookTheLast = false
  const watched = monitorDependency(
    async () => {
      await smtp.verify()
      if (!denial || performance.now() - denial.at >= DENIAL_HOLDS_MS) return
      released = true
      throw new Error(denial.sentence)
    },
    newThrottledLog(log, 'mail.unavailable'),
  )
  smtp.verify().catch((error: unknown) => watched.failed(error instanceof Error ? error.message : String(error)))
  return {
    async send(mail) {
      released = false
      const result = attribute(await smtp.send(mail), { tookTheLast })
      tookTheLast = result.outcome === 'accepted'
      if (result.outcome === 'denied' || result.outcome === 'unreachable') {
        const sentence = `SEALWRIGHT_SMTP_URL: the server does not accept emails (${result.error}).`
        if (result.outcome === 'denied') denial = { sentence, at: performance.now() }
        watched.failed(sentence)
      } else {
        denial = undefined
        released = true
      }
      return result
    },
    fault: watched.fault,
    mayTry: () => released || watched.fault() === undefined,
    async close() {
      await Promise.all([watched[Symbol.asyncDispose](), smtp.close()])
    },
  }
}

/** A server that hangs up on one mail and has taken the one before has something against this one. When it hangs up again before it has taken another, it
 *  may be down: that is nothing against a mail. */
function attribute(result: SmtpOutcome, { tookTheLast }: { tookTheLast: boolean }): SendOutcome {
  if (result.outcome === 'accepted') return result
  const { outcome, error, hungUp } = result
  return { outcome: hungUp && tookTheLast ? 'delayed' : outcome, error }
}
