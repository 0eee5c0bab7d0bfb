// The email that asks a signer to sign. Only the body contains the link, because it gives access to the envelope.
import { toVisibleLine, toVisibleText } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { type MailContent, action, chosen, emphasised, layout, paragraph, quotation } from './layout.ts'
import { toReadableTime } from './readable-time.ts'

export interface SigningLinkMail {
  signerName: string
  /** The sender. */
  organisationName: string
  title: string
  /** What the sender wrote to the signers. */
  message: string | null
  link: string
  expiresAt: Date | null
}

/** Renders the email with the signing link. */
export function renderSigningLink(mail: SigningLinkMail): MailContent {
  const name = toVisibleLine(mail.signerName)
  const organisation = toVisibleLine(mail.organisationName)
  const title = toVisibleLine(mail.title)
  const message = toVisibleText(mail.message ?? '')
  const until = mail.expiresAt ? `until ${toReadableTime(mail.expiresAt)}` : 'until everyone has signed'
  const notes = [
    'This link is only for you. Anyone who opens it can act in your name, so please do not share it.',
    'If you did not expect this email, you can ignore it. Nothing is signed until you sign.',
  ]
  return {
    subject: `${organisation} asks you to sign: ${title}`,
    text: [
      `Hello ${name},`,
      `${organisation} asks you to sign: ${title}`,
      `Your link works ${until}.`,
      ...(message ? [`${organisation} writes:\n${message.replaceAll(/^/gm, '> ')}`] : []),
      `Read the documents and sign here:\n${mail.link}`,
      ...notes,
      '-- \nSealwright\n',
    ].join('\n\n'),
    html: layout({
      preview: `Read the documents and sign, ${until}.`,
      heading: html`${chosen(organisation)} asks you to sign`,
      body: [
        paragraph(html`Hello ${chosen(name)},`),
        paragraph(html`Please read and sign ${emphasised(title)}. Your link works ${until}.`),
        ...(message ? [paragraph(html`${chosen(organisation)} writes:`), quotation(message)] : []),
        action('Read and sign', mail.link),
      ],
      notes: notes.map((note) => html`${note}`),
    }),
  }
}
