// What a failed attempt to send means: whether a later one may do, and what an operator gets to read about it.
import type { NodemailerError } from 'nodemailer'
import type { SendOutcome } from './mail-transport.ts'

/** Replies to these are about this mail. A refused sign-in or sender is about our settings: it concerns all mails and will be mended. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])
const ERROR_AT_MOST = 200

/** `refused` when the server turned down the receiver or the mail for good (5xx, RFC 5321 4.2.1), otherwise `delayed`. */
export function toFailure(error: unknown): Exclude<SendOutcome, { outcome: 'accepted' }> {
  const { command, permanent, responseCode, code, message } = toNodemailerError(error)
  const refused = permanent === true && command !== undefined && ABOUT_THE_MAIL.has(command)
  const reply = responseCode === undefined ? [code, message] : [command, message]
  return { outcome: refused ? 'refused' : 'delayed', error: withoutSecrets(reply.filter(Boolean).join(': ')) }
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
