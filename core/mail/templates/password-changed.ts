// Tells a person that their password is another one. If it was not them, this mail is how they learn of it; so it carries no link to be followed.
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { chosen, layout, type MailContent, paragraph } from './layout.ts'
import { toReadableTime } from './readable-time.ts'

export interface PasswordChangedMail {
  personName: string
  organisationName: string
  changedAt: Date
  /** Where the request came from; empty when that is not known. */
  address: string
}

/** The mail to whoever owned the password before. */
export function renderPasswordChanged(mail: PasswordChangedMail): MailContent {
  const name = toVisibleLine(mail.personName)
  const organisation = toVisibleLine(mail.organisationName)
  const from = mail.address && `, from the address ${mail.address}`
  const told = `was changed on ${toReadableTime(mail.changedAt)}${from}. Whoever was signed in as you has been signed out.`
  const notes = [
    'If this was you, you need do nothing.',
    'If it was not, ask an administrator of your organisation at once for a new link to set your password.',
  ]
  return {
    subject: `Your Sealwright password was changed: ${organisation}`,
    text: [
      `Hello ${name},`,
      `Your password for the settings of ${organisation} in Sealwright ${told}`,
      ...notes,
      '-- \nSealwright\n',
    ].join('\n\n'),
    html: layout({
      preview: `Your password ${told}`,
      heading: html`Your password was changed`,
      body: [
        paragraph(html`Hello ${chosen(name)},`),
        paragraph(html`Your password for the settings of ${chosen(organisation)} in Sealwright ${told}`),
      ],
      notes: notes.map((note) => html`${note}`),
    }),
  }
}
