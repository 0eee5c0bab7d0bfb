// What a failed attempt to send means: whether a later one may do, and what an operator gets to read about it.
import type { NodemailerError } from 'nodemailer'
import type { SendOutcome } from './mail-transport.ts'

/** Replies to these are about this mail. A refused sign-in or sender is about our settings: it concerns every mail and will be mended. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])
/** May come in answer to anything (RFC 5321 3.8). */
const CLOSING = 421
/** The conversation was ended by the other side. Silence is none of these: a server that is slow is slow for everybody. */
const ENDED_BY_SERVER: ReadonlySet<unknown> = new Set(['ECONNECTION', 'ESOCKET', 'ECONNRESET', 'EPIPE'])
const ERROR_AT_MOST = 200

export type SmtpFailure = Exclude<SendOutcome, { outcome: 'accepted' }> & {
  /** The server had asked for the mail's text, and then ended the conversation, with no answer or with one that says no more. */
  hungUp: boolean
}

/** Of an answer about the receiver or the mail: `refused` for good (5xx, RFC 5321 4.2.1) or `delayed`; of any other answer `denied`; of none
 *  `unreachable`. `inData`: whether the server had asked for the mail's text. */
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

/** Servers like to quote what they refuse: addresses, and links with the token in them. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '(link)')
    .replaceAll(/[^\s<>]+@[^\s<>]+/g, '(address)')
    .replaceAll(/[A-Za-z0-9_-]{32,}/g, '(token)')
    .slice(0, ERROR_AT_MOST)
}
