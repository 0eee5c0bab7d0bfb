// The email to the admins when a webhook was disabled automatically, or enabled again after it.
import { html } from '#core/platform/text/html.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { action, chosen, layout, type MailContent, paragraph } from './layout.ts'
import { toReadableTime } from './readable-time.ts'

export interface WebhookSwitchedMail {
  personName: string
  organisationName: string
  webhookUrl: string
  isEnabled: boolean
  at: Date
  settingsUrl: string
}

/** Renders the email to one admin. */
export function renderWebhookSwitched(mail: WebhookSwitchedMail): MailContent {
  const name = toVisibleLine(mail.personName)
  const organisation = toVisibleLine(mail.organisationName)
  const { heading, lines } = mail.isEnabled ? enabled(mail) : disabled(mail)
  return {
    subject: `${heading}: ${organisation}`,
    text: [`Hello ${name},`, ...lines, `Webhooks of ${organisation}: ${mail.settingsUrl}`, '-- \nSealwright\n'].join('\n\n'),
    html: layout({
      preview: lines[0] ?? '',
      heading: html`${heading}`,
      body: [
        paragraph(html`Hello ${chosen(name)},`),
        ...lines.map((line) => paragraph(html`${line}`)),
        action('Open the webhooks', mail.settingsUrl),
      ],
      notes: [html`You get this email as an admin of ${chosen(organisation)}.`],
    }),
  }
}

function disabled({ webhookUrl, at }: WebhookSwitchedMail) {
  return {
    heading: 'A webhook was disabled',
    lines: [
      `The webhook ${toVisibleLine(webhookUrl)} was disabled on ${toReadableTime(at)}, because several deliveries in a row used up all their retries.`,
      'Events that occur while it is disabled are recorded as “Not sent” and are not sent later.',
      'Sealwright probes it every few hours, and enables it when it answers with a 2xx status. The delivery history shows what failed.',
    ],
  }
}

function enabled({ webhookUrl, at }: WebhookSwitchedMail) {
  return {
    heading: 'A webhook works again',
    lines: [
      `The webhook ${toVisibleLine(webhookUrl)} answered a probe and was enabled on ${toReadableTime(at)}.`,
      'Events that occurred while it was disabled were not sent; the delivery history lists them as “Not sent”.',
    ],
  }
}
