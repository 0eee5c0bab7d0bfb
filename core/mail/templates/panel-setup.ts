// Brings a person to the panel. The link may set their password, so it is in the body alone.
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { action, chosen, layout, type MailContent, paragraph } from './layout.ts'
import { toReadableTime } from './readable-time.ts'

export interface PanelSetupMail {
  personName: string
  organisationName: string
  link: string
  /** Of a link that sets a password; null where people sign in with an identity provider. */
  expiresAt: Date | null
}

/** The mail with the way into the panel. */
export function renderPanelSetup(mail: PanelSetupMail): MailContent {
  const name = toVisibleLine(mail.personName)
  const organisation = toVisibleLine(mail.organisationName)
  const [todo, label, notes] = mail.expiresAt
    ? [
        `Set your password to get in. The link works once, until ${toReadableTime(mail.expiresAt)}.`,
        'Set your password',
        ['Whoever opens this link acts in your name. Please do not pass it on.', EXPECTED],
      ]
    : ['Sign in there as you do elsewhere at work.', 'Sign in', [EXPECTED]]
  return {
    subject: `Your access to Sealwright: ${organisation}`,
    text: [
      `Hello ${name},`,
      `${organisation} gives you access to its settings in Sealwright, where it has documents signed.`,
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
        paragraph(html`${chosen(organisation)} gives you access to its settings in Sealwright, where it has documents signed.`),
        paragraph(html`${todo}`),
        action(label, mail.link),
      ],
      notes: notes.map((note) => html`${note}`),
    }),
  }
}

const EXPECTED = 'If you did not expect this, you need do nothing.'
