// Classifies a failed attempt to send: whether a retry may succeed, and the error for operators.
import type { NodemailerError } from 'nodemailer'
import type { SendOutcome } from './mail-transport.ts'

/** Replies to these commands are about this email. A rejected sign-in or sender is about our settings and concerns every email. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])
/** May be the reply to any command (RFC 5321 3.8). */
const CLOSING = 421
/** The server ended the conversation. A timeout is not among them: a slow server is slow for every email. */
const ENDED_BY_SERVER: ReadonlySet<unknown> = new Set(['ECONNECTION', 'ESOCKET', 'ECONNRESET', 'EPIPE'])
const ERROR_AT_MOST = 200

export type SmtpFailure = Exclude<SendOutcome, { outcome: 'accepted' }> & {
  /** The server had asked for the email's text and then ended the conversation, without a reply or with an unspecific one. */
  hungUp: boolean
}

/** For a reply about receiver or email: `refused` for good (5xx, RFC 5321 4.2.1) or `delayed`; for any other reply `denied`; without a reply
 *  `unreachable`. `inData`: whether the server had asked for the email's text. */
export function toFailure(thrown: unknown, { inData }: { inData: boolean }): SmtpFailure {
  const { command, permanent, responseCode, code, message } = toNodemailerError(thrown)
  const aboutTheMail = command !== undefined && ABOUT_THE_MAIL.has(command)
  const reply = responseCode === undefined ? [inData ? 'DATA' : '', code, message] : [command, message]
  const error = withoutSecrets(reply.filter(Boolean).join(': '))
  if (responseCode === undefined) return { outcome: 'unreachable', error, hungUp: inData && ENDED_BY_SERVER.has(code) }
  if (!aboutTheMail || responseCode === CLOSING) return { outcome: 'denied', error, hungUp: inData }
  return { outcome: permanent === true ? 'refused' : 'delayed', error, hungUp: false }
}

function toNodemailerError(error: unknown): NodemailerError {
  return error instanceof Error ? error : new Error(String(error))
}

/** Servers quote what they reject: addresses, and links with the token. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/\S+/gi, '(link)')
    .replaceAll(/(?<![^\s<>])@*[^\s<>@]+@[^\s<>]*/g, '(address)')
    .replaceAll(/[A-Za-z0-9_-]{32,}/g, '(token)')
    .slice(0, ERROR_AT_MOST)
}
