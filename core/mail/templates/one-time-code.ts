// The email with a signer's one-time code. Only the body contains the code, because lock screens show subjects and previews.
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { type MailContent, chosen, emphasised, layout, paragraph } from './layout.ts'

export interface OneTimeCodeMail {
  signerName: string
  title: string
  code: string
  /** How long the code is valid. */
  validSeconds: number
}

/** Renders the email with the code. */
export function renderOneTimeCode(mail: OneTimeCodeMail): MailContent {
  const name = toVisibleLine(mail.signerName)
  const title = toVisibleLine(mail.title)
  const validity = mail.validSeconds < 120 ? `${mail.validSeconds} seconds` : `${Math.floor(mail.validSeconds / 60)} minutes`
  const note =
    'Enter it only on the page that your signing link opens. If you did not request a code, someone else may have your link.'
  return {
    subject: `Your code to sign: ${title}`,
    text: [
      `Hello ${name},`,
      `Your code to sign ${title} is:\n\n    ${mail.code}`,
      `It is valid for ${validity} and can be used once.`,
      note,
      '-- \nSealwright\n',
    ].join('\n\n'),
    html: layout({
      preview: `It is valid for ${validity}.`,
      heading: html`Your code`,
      body: [
        paragraph(html`Hello ${chosen(name)},`),
        paragraph(html`Enter this code to sign ${emphasised(title)}:`),
        html`<p
          style="margin:0 0 20px;padding:18px 0;border-radius:8px;background-color:#f5f7fb;text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:34px;line-height:1.2;font-weight:700;letter-spacing:.28em;text-indent:.28em;color:#131c30"
        >
          ${mail.code}
        </p> `,
        paragraph(html`It is valid for ${validity} and can be used once.`),
      ],
      notes: [html`${note}`],
    }),
  }
}
