// The email that gives a person access to the panel. Only the body contains the link, because it may set their password.
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { action, chosen, layout, type MailContent, paragraph } from './layout.ts'
import { toReadableTime } from './readable-time.ts'

export interface PanelSetupMail {
  personName: string
  organisationName: string
  link: string
  /** When a link that sets a password expires; null where people sign in with an identity provider. */
  expiresAt: Date | null
}

/** Renders the email with the link to the panel. */
export function renderPanelSetup(mail: PanelSetupMail): MailContent {
  const name = toVisibleLine(mail.personName)
  const organisation = toVisibleLine(mail.organisationName)
  const [todo, label, notes] = mail.expiresAt
    ? [
        `Set your password to sign in. The link works once and expires on ${toReadableTime(mail.expiresAt)}.`,
        'Set your password',
        ['Anyone who opens this link can act in your name. Please do not share it.', EXPECTED],
      ]
    : ['Sign in with your usual work account.', 'Sign in', [EXPECTED]]
  return {
    subject: `Your access to Sealwright: ${organisation}`,
    text: [
      `Hello ${name},`,
      `${organisation} has invited you to its settings in Sealwright, its service for electronic signatures.`,
      todo,
      `${label}:\n${mail.link}`,
      ...notes,
      '-- \nSealwright\n',
    ].join('\n\n'),
    html: layout({
      preview: todo,
      heading: html`Your access to Sealwright`,
      body: [
        paragraph(html`Hello ${chosen(name)},`),
        paragraph(
          html`${chosen(organisation)} has invited you to its settings in Sealwright, its service for electronic signatures.`,
        ),
        paragraph(html`${todo}`),
        action(label, mail.link),
      ],
      notes: notes.map((note) => html`${note}`),
    }),
  }
}

const EXPECTED = 'If you did not expect this email, you can ignore it.'
