// The facts about a webhook, beside its sections.
import type { Webhook } from '../data/records.ts'
import { CopyButton } from '../frame/copy-button.tsx'
import { Moment } from '../frame/moment.tsx'
import { Facts } from '../frame/parts.tsx'
import { formatNumber } from '../locales/format.ts'
import { texts } from '../locales/texts.ts'
import { objectName } from './object-name.ts'

export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { url, description, eventTypes, secretLastFour, consecutiveExhausted, origin, createdAt, disabledAt, id } = webhook
  const { facts } = texts.webhooks
  const state = webhook.disabledReason ? texts.webhooks.disabledStates[webhook.disabledReason] : texts.webhooks.enabled
  return (
    <aside className="sheet sheet-aside">
      <Facts
        facts={[
          [
            texts.webhooks.url,
            <span className="copy-inline">
              <code>{url}</code>
              <CopyButton text={url} label={texts.webhooks.url} />
            </span>,
          ],
          [texts.webhooks.descriptionLabel, description],
          [facts.state, disabledAt ? <Moment at={disabledAt} as="distance" words={(when) => `${state}, ${when}`} /> : state],
          [facts.types, <EventTypeList eventTypes={eventTypes} />],
          [facts.exhausted, consecutiveExhausted > 0 ? formatNumber(consecutiveExhausted) : texts.webhooks.notFailed],
          [facts.secret, secretLastFour === undefined ? texts.webhooks.secretGiven : texts.webhooks.secretEnding(secretLastFour)],
          [facts.managed, origin === 'Kubernetes' && texts.webhooks.managedRow(objectName(webhook))],
          [facts.created, <Moment at={createdAt} as="moment" />],
          [facts.id, <code>{id}</code>],
        ]}
      />
    </aside>
  )
}

function EventTypeList({ eventTypes }: Pick<Webhook, 'eventTypes'>) {
  return (
    <ul className="labels">
      {eventTypes.map((type) => (
        <li key={type}>
          <code>{type}</code>
        </li>
      ))}
    </ul>
  )
}
