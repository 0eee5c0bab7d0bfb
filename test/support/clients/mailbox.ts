// The emails of a test as received over SMTP, parsed as a mail program does.
import PostalMime from 'postal-mime'
import { setTimeout as delay } from 'node:timers/promises'
import { type ReceivedMail, startSmtpSink } from '../servers/smtp-sink.ts'

const POLL_MS = 50

export interface ReadMail {
  subject: string
  text: string
  html: string
}

export interface Mailbox extends AsyncDisposable {
  /** For the setting SEALWRIGHT_SMTP_URL. */
  smtpUrl: string
  /** The emails to an address so far, oldest first. */
  mailsTo(address: string): Promise<ReadMail[]>
  /** Waits for the first email to an address whose text matches. Throws when none arrived after `withinMs`. */
  awaitMail(address: string, text: RegExp, withinMs?: number): Promise<ReadMail>
}

/** `port`: where the service already expects its mail server; absent: any free one. */
export async function openMailbox(port?: number): Promise<Mailbox> {
  const sink = await startSmtpSink({}, port)
  const read = new Map<ReceivedMail, Promise<ReadMail>>()
  const readOnce = (mail: ReceivedMail): Promise<ReadMail> => {
    const reading = read.get(mail) ?? readMail(mail)
    read.set(mail, reading)
    return reading
  }
  const mailsTo = (address: string) =>
    Promise.all(sink.received.filter(({ recipients }) => recipients.includes(address)).map(readOnce))
  return {
    smtpUrl: `smtp://127.0.0.1:${sink.port}`,
    mailsTo,
    async awaitMail(address, text, withinMs = 60_000) {
      for (const startedAt = performance.now(); performance.now() - startedAt < withinMs;) {
        const found = (await mailsTo(address)).find((mail) => text.test(mail.text))
        if (found) return found
        await delay(POLL_MS)
      }
      throw new Error(`No mail to ${address} with ${text} has come; there are ${(await mailsTo(address)).length} others.`)
    },
    [Symbol.asyncDispose]: () => sink.close(),
  }
}

async function readMail({ raw }: ReceivedMail): Promise<ReadMail> {
  const { subject = '', text = '', html = '' } = await PostalMime.parse(raw)
  return { subject, text, html }
}
