// Emails over SMTP, through a few connections that stay open. Each email has exactly one receiver and a fixed set of headers; names and titles that
// people wrote are only text in them (threat T27).
import { createTransport } from 'nodemailer'
import { MAIL_ADDRESS, MAIL_SENDER_FORM, readMailSender } from '#core/platform/config/forms.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import type { MailTransport, RenderedMail } from './mail-transport.ts'
import { watchData } from './smtp-data.ts'
import { type SmtpFailure, toFailure } from './smtp-failure.ts'
import { toSmtpOptions } from './smtp-options.ts'

export type SmtpOutcome = { outcome: 'accepted' } | SmtpFailure

export interface SmtpTransport extends Pick<MailTransport, 'close'> {
  send(mail: RenderedMail): Promise<SmtpOutcome>
  /** Connects and signs in. Throws StartupError when that fails. */
  verify(): Promise<void>
}

/** The limit of one attempt, even when the server responds slowly. */
const SEND_WITHIN_MS = 90_000

/** Opens a transport; nothing is sent before the first call. `from` is an address, alone or as in `Name <address>`. Throws one sentence when either
 *  setting is malformed. */
export function openSmtp(url: string, from: string): SmtpTransport {
  const sender = toSender(from)
  const domain = sender.address.slice(sender.address.indexOf('@') + 1)
  const transport = createTransport(toSmtpOptions(url))
  const inData = watchData(transport)
  return {
    async send(mail) {
      if (!MAIL_ADDRESS.test(mail.to)) return { outcome: 'refused', error: 'This is not a valid email address.', hungUp: false }
      const signal = AbortSignal.timeout(SEND_WITHIN_MS)
      try {
        await transport.sendMail({
          ...toMessage(mail, domain),
          from: sender,
          envelope: { from: sender.address, to: [mail.to] },
          signal,
        })
        return { outcome: 'accepted' }
      } catch (error) {
        return toFailure(error, { inData: inData(signal) })
      }
    },
    async verify() {
      try {
        await transport.verify()
      } catch (error) {
        throw new StartupError(
          'SMTP_UNAVAILABLE',
          `SEALWRIGHT_SMTP_URL: the server does not accept emails (${toFailure(error, { inData: false }).error}).`,
          error,
        )
      }
    },
    async close() {
      transport.close()
    },
  }
}

function toMessage(mail: RenderedMail, domain: string) {
  return {
    messageId: `<${mail.id}@${domain}>`,
    date: mail.sentAt,
    to: { name: '', address: mail.to },
    subject: toHeaderText(mail.subject),
    text: mail.text,
    html: mail.html,
    // RFC 3834: suppresses out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** One visible line that contains no encoded word: receivers would decode `=?utf-8?q?=0D=0A...?=` (RFC 2047) into the characters that were removed. */
function toHeaderText(text: string): string {
  return toVisibleLine(text).replaceAll('=?', '= ?')
}

function toSender(from: string): { name: string; address: string } {
  const sender = readMailSender(from)
  if (!sender) throw new Error(`SEALWRIGHT_MAIL_FROM ${MAIL_SENDER_FORM}.`)
  return { name: toHeaderText(sender.name), address: sender.address }
}
