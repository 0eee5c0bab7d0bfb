// Tells a signer that everyone has signed, and where the sealed copy is.
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { type MailContent, action, chosen, emphasised, layout, paragraph } from './layout.ts'

export interface CompletedMail {
  signerName: string
  organisationName: string
  title: string
  /** The signer's own link, which now leads to the signed copy. */
  link: string
}

/** The mail with the link to the signed copy. */
export function renderCompleted(mail: CompletedMail): MailContent {
  const name = toVisibleLine(mail.signerName)
  const organisation = toVisibleLine(mail.organisationName)
  const title = toVisibleLine(mail.title)
  const notes = [
    'Please download your copy and keep it: the link does not work for ever.',
    'Each PDF carries a digital seal: a PDF reader shows whether it was changed since.',
  ]
  return {
    subject: `Signed by everyone: ${title}`,
    text: [
      `Hello ${name},`,
      `Everyone has signed ${title}, which ${organisation} sent.`,
      `Your signed copy is here:\n${mail.link}`,
      ...notes,
      '-- \nSealwright\n',
    ].join('\n\n'),
    html: layout({
      preview: 'Your signed copy is ready.',
      heading: html`Signed by everyone`,
      body: [
        paragraph(html`Hello ${chosen(name)},`),
        paragraph(html`Everyone has signed ${emphasised(title)}, which ${chosen(organisation)} sent. Your signed copy is ready.`),
        action('Get the signed copy', mail.link),
      ],
      notes: notes.map((note) => html`${note}`),
    }),
  }
}
