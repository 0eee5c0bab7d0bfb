// How a rendered mail leaves: over SMTP, or kept in a folder where no server is set.

export interface RenderedMail {
  /** The id of the mail's row; also makes the Message-ID, so that a mail sent twice is one mail to the receiver. */
  id: string
  /** One address. */
  to: string
  /** By the database: a wrong clock of this process does not show in mails. */
  sentAt: Date
  subject: string
  text: string
  html: string
}

/** About this mail: `delayed`, a later try may do, also when the server hung up on this one alone; `refused`, none will. About every mail: `denied`, the
 *  server does not let us send; `unreachable`, it gave no answer. The error is for operators and never holds the mail's text. */
export type SendOutcome = { outcome: 'accepted' } | { outcome: 'delayed' | 'refused' | 'denied' | 'unreachable'; error: string }

export interface MailTransport {
  send(mail: RenderedMail): Promise<SendOutcome>
  /** What keeps every mail from leaving, as far as is known. */
  lastError: () => string | undefined
  /** Whether a mail is to be tried now: without such a fault, or to find out whether it is over. */
  mayTry: () => boolean
  close(): Promise<void>
}
