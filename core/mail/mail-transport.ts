// Sends a rendered email: over SMTP, or into a folder when no server is configured.

/** What a receiver reads. */
export interface MailContent {
  /** One line. */
  subject: string
  text: string
  html: string
}

export interface RenderedMail extends MailContent {
  /** The id of the email's row; also its Message-ID, so that an email sent twice is one to the receiver. */
  id: string
  /** One address. */
  to: string
  /** Time by the database clock: a wrong clock of this process must not show in emails. */
  sentAt: Date
}

/** About this email: `delayed` may succeed later, also when the server hung up on this email alone; `refused` never will. About every email:
 *  `denied`, the server does not let us send; `unreachable`, it did not respond. The error is for operators and never contains the text. */
export type SendOutcome = { outcome: 'accepted' } | { outcome: 'delayed' | 'refused' | 'denied' | 'unreachable'; error: string }

export interface MailTransport {
  send(mail: RenderedMail): Promise<SendOutcome>
  /** The last known error that concerns every email; undefined while sending works. */
  lastError: () => string | undefined
  /** Whether to try an email now: without such an error, or to find out whether it is over. */
  mayTry: () => boolean
  close(): Promise<void>
}
