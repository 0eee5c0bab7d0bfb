// The invitation to an address that signs in to another organisation. Only its owner reads this: the inviting admin must not learn it from us.
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { html } from '#core/platform/text/html.ts'
import { chosen, layout, type MailContent, paragraph } from './layout.ts'

export interface PanelElsewhereMail {
  personName: string
  organisationName: string
  address: string
}

const STEPS =
  'An address can sign in to one organisation only. Either ask for an invitation to another address of yours, or have an admin of your current ' +
  'organisation remove your access there and then ask for a new invitation.'
const UNCHANGED = 'Your current access has not changed. If you did not expect this email, you can ignore it.'

/** Renders the email, which has no link. */
export function renderPanelElsewhere(mail: PanelElsewhereMail): MailContent {
  const name = toVisibleLine(mail.personName)
  const organisation = toVisibleLine(mail.organisationName)
  return {
    subject: `Your access to Sealwright: ${organisation}`,
    text: [
      `Hello ${name},`,
      `${organisation} has invited you to its settings in Sealwright, its service for electronic signatures.`,
      `Your address ${mail.address} already has an account in another organisation here, so this invitation cannot be accepted.`,
      STEPS,
      UNCHANGED,
      '-- \nSealwright\n',
    ].join('\n\n'),
    html: layout({
      preview: 'This address already has an account in another organisation.',
      heading: html`Your access to Sealwright`,
      body: [
        paragraph(html`Hello ${chosen(name)},`),
        paragraph(
          html`${chosen(organisation)} has invited you to its settings in Sealwright, its service for electronic signatures.`,
        ),
        paragraph(
          html`Your address ${chosen(mail.address)} already has an account in another organisation here, so this invitation cannot
          be accepted.`,
        ),
        paragraph(html`${STEPS}`),
      ],
      notes: [html`${UNCHANGED}`],
    }),
  }
}
