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

/** `delayed`: try again later; `refused`: no later try will do. The error is for operators and never holds the mail's text. */
export type SendOutcome = { outcome: 'accepted' } | { outcome: 'delayed' | 'refused'; error: string }

export interface MailTransport {
  send(mail: RenderedMail): Promise<SendOutcome>
  close(): Promise<void>
}
