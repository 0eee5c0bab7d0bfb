// The email to a person whose password was changed. It contains no link, because phishing emails imitate such warnings.
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { chosen, layout, type MailContent, paragraph } from './layout.ts'
import { toReadableTime } from './readable-time.ts'

export interface PasswordChangedMail {
  personName: string
  organisationName: string
  changedAt: Date
  /** The address the request came from; empty when unknown. */
  address: string
}

/** Renders the email to the person whose password was changed. */
export function renderPasswordChanged(mail: PasswordChangedMail): MailContent {
  const name = toVisibleLine(mail.personName)
  const organisation = toVisibleLine(mail.organisationName)
  const from = mail.address && ` from the address ${mail.address}`
  const change = `was changed on ${toReadableTime(mail.changedAt)}${from}. You have been signed out everywhere else.`
  const notes = [
    'If this was you, you don’t need to do anything.',
    'If it was not you, ask an admin of your organisation for a new password link immediately.',
  ]
  return {
    subject: `Your Sealwright password was changed: ${organisation}`,
    text: [
      `Hello ${name},`,
      `Your password for the settings of ${organisation} in Sealwright ${change}`,
      ...notes,
      '-- \nSealwright\n',
    ].join('\n\n'),
    html: layout({
      preview: `Your password ${change}`,
      heading: html`Your password was changed`,
      body: [
        paragraph(html`Hello ${chosen(name)},`),
        paragraph(html`Your password for the settings of ${chosen(organisation)} in Sealwright ${change}`),
      ],
      notes: notes.map((note) => html`${note}`),
    }),
  }
}
