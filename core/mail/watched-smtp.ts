// Whether the mail server takes mails at all: tried at start and whenever it let a mail down for reasons of its own, until it does again.
import type { Logger } from '#core/log.ts'
import { newFaultLog } from '#core/start/fault-log.ts'
import { watchPart } from '#core/start/watched-part.ts'
import type { MailTransport } from './mail-transport.ts'
import type { SmtpTransport } from './smtp.ts'

/** The same transport, which knows of a fault that concerns every mail. Its first try of the server is under way when this returns. */
export function watchSmtp(smtp: SmtpTransport, log: Logger): MailTransport {
  const watched = watchPart(() => smtp.verify(), newFaultLog(log, 'mail.unavailable'))
  smtp.verify().catch((error: unknown) => watched.failed(error instanceof Error ? error.message : String(error)))
  return {
    async send(mail) {
      const result = await smtp.send(mail)
      if (result.outcome === 'denied' || result.outcome === 'unreachable') {
        watched.failed(`SEALWRIGHT_SMTP_URL: the server does not take mails (${result.error}).`)
      }
      return result
    },
    fault: watched.fault,
    async close() {
      await Promise.all([watched[Symbol.asyncDispose](), smtp.close()])
    },
  }
}
