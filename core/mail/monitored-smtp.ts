// Monitors whether the mail server accepts emails at all: tried at start and after an error that is not about one email, until it works again.
import type { Logger } from '#core/platform/log.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { monitorDependency } from '#core/platform/process/dependency-monitor.ts'
import type { MailTransport, SendOutcome } from './mail-transport.ts'
import type { SmtpOutcome, SmtpTransport } from './smtp.ts'

/** Twice the longest back-off of a denied email: while emails wait, another denial follows within this time. */
const DENIAL_HOLDS_MS = 600_000

/** Monitors a transport for an error that concerns every email. Its first check of the server is running when this returns. */
export function monitorSmtp(smtp: SmtpTransport, log: Logger): MailTransport {
  // A server that lets us sign in may still reject our sender: a denial is over when another email is not denied.
  let denial: { sentence: string; at: number } | undefined
  /** One email may be sent to find out whether the error is still there. */
  let released = false
  let tookTheLast = false
  const monitor = monitorDependency(
    async () => {
      await smtp.verify()
      if (!denial || performance.now() - denial.at >= DENIAL_HOLDS_MS) return
      released = true
      throw new Error(denial.sentence)
    },
    newThrottledLog(log, 'mail.unavailable'),
  )
  smtp.verify().catch((error: unknown) => monitor.failed(error instanceof Error ? error.message : String(error)))
  return {
    async send(mail) {
      released = false
      const result = attribute(await smtp.send(mail), { tookTheLast })
      tookTheLast = result.outcome === 'accepted'
      if (result.outcome === 'denied' || result.outcome === 'unreachable') {
        const sentence = `SEALWRIGHT_SMTP_URL: the server does not accept emails (${result.error}).`
        if (result.outcome === 'denied') denial = { sentence, at: performance.now() }
        monitor.failed(sentence)
      } else {
        denial = undefined
        released = true
      }
      return result
    },
    lastError: monitor.lastError,
    mayTry: () => released || monitor.lastError() === undefined,
    async close() {
      await Promise.all([monitor[Symbol.asyncDispose](), smtp.close()])
    },
  }
}

/** A server that closes the connection during one email after it accepted the previous one rejects this email. When it closes again before it took another, it may be
 *  down, which is not held against the email. */
function attribute(result: SmtpOutcome, { tookTheLast }: { tookTheLast: boolean }): SendOutcome {
  if (result.outcome === 'accepted') return result
  const { outcome, error, hungUp } = result
  return { outcome: hungUp && tookTheLast ? 'delayed' : outcome, error }
}
