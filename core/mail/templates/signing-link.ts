// Asks a signer to sign. The link in it is the signer's key to the envelope, so it is in the body alone.
import { toVisibleLine, toVisibleText } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { type MailContent, action, chosen, emphasised, layout, paragraph, quotation } from './layout.ts'
import { toReadableTime } from './readable-time.ts'

export interface SigningLinkMail {
  signerName: string
  /** Who asks. */
  organisationName: string
  title: string
  /** What the sender wrote to the signers. */
  message: string | null
  link: string
  expiresAt: Date | null
}

/** The mail with the signing link. */
export function renderSigningLink(mail: SigningLinkMail): MailContent {
  const name = toVisibleLine(mail.signerName)
  const organisation = toVisibleLine(mail.organisationName)
  const title = toVisibleLine(mail.title)
  const message = toVisibleText(mail.message ?? '')
  const until = mail.expiresAt ? `until ${toReadableTime(mail.expiresAt)}` : 'until everyone has signed'
  const notes = [
    'This link is yours alone: whoever opens it acts in your name. Please do not pass it on.',
    'If you did not expect this, you need do nothing: nothing is signed unless you sign it.',
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
