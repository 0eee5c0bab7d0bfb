// The email to a signer once everyone has signed, with the link to the sealed copy.
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { type MailContent, action, chosen, emphasised, layout, paragraph } from './layout.ts'

export interface CompletedMail {
  signerName: string
  organisationName: string
  title: string
  /** The signer's own link, which now opens the signed copy. */
  link: string
}

/** Renders the email with the link to the signed copy. */
export function renderCompleted(mail: CompletedMail): MailContent {
  const name = toVisibleLine(mail.signerName)
  const organisation = toVisibleLine(mail.organisationName)
  const title = toVisibleLine(mail.title)
  const notes = [
    'Please download your copy and keep it. The link will expire.',
    'Each PDF contains a digital seal. A PDF reader shows whether the file has changed since.',
  ]
  return {
    subject: `Completed: ${title}`,
    text: [
      `Hello ${name},`,
      `Everyone has signed ${title}, which ${organisation} sent.`,
      `Download your signed copy:\n${mail.link}`,
      ...notes,
      '-- \nSealwright\n',
    ].join('\n\n'),
    html: layout({
      preview: 'Your signed copy is ready.',
      heading: html`Everyone has signed`,
      body: [
        paragraph(html`Hello ${chosen(name)},`),
        paragraph(html`Everyone has signed ${emphasised(title)}, which ${chosen(organisation)} sent. Your signed copy is ready.`),
        action('Download signed copy', mail.link),
      ],
      notes: notes.map((note) => html`${note}`),
    }),
  }
}
