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
  /** Why the last attempt before the disabling failed. */
  lastError?: string | undefined
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

function disabled({ webhookUrl, at, lastError }: WebhookSwitchedMail) {
  return {
    heading: 'A webhook was disabled',
    lines: [
      `Sealwright disabled the webhook ${toVisibleLine(webhookUrl)} on ${toReadableTime(at)}, because several deliveries in a row used up all their retries.`,
      ...(lastError === undefined ? [] : [`The last attempt failed: ${lastError}`]),
      'Events that occur while the webhook is disabled are recorded as “Not sent” and are not sent later.',
      'What to do: correct the receiver or the webhook’s URL, then send a test from the settings. The webhook is enabled as soon as a test succeeds. Without a test, Sealwright probes the receiver every few hours and enables the webhook when the receiver answers with a 2xx status.',
      'The delivery history shows every attempt. Deliveries that gave up can be sent again from there once the webhook is enabled.',
    ],
  }
}

function enabled({ webhookUrl, at }: WebhookSwitchedMail) {
  return {
    heading: 'A webhook was enabled again',
    lines: [
      `The receiver of the webhook ${toVisibleLine(webhookUrl)} answered a test event with a 2xx status. Sealwright enabled the webhook on ${toReadableTime(at)} and sends new events to it.`,
      'Events that occurred while it was disabled were not sent and are not sent later; the delivery history lists them as “Not sent”.',
      'What to do: in the delivery history, send the deliveries again that gave up before the webhook was disabled, and read the changes that were not sent through the API.',
    ],
  }
}
