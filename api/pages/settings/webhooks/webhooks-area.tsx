// The webhooks of the organisation, with their state and their last 24 hours.
import { ChevronRightIcon } from '../../components/icons.tsx'
import type { ListedWebhook, Organisation } from '../data/records.ts'
import { ResourceView } from '../data/resource-view.tsx'
import { usePolling } from '../data/use-polling.ts'
import { useResource } from '../data/use-resource.ts'
import { Area } from '../frame/area.tsx'
import { Moment } from '../frame/moment.tsx'
import { Pill } from '../frame/parts.tsx'
import { texts } from '../locales/texts.ts'
import { PlaceLink } from '../routing/place-link.tsx'
import { DayChart } from './day-chart.tsx'
import { NoWebhooks } from './no-webhooks.tsx'
import { objectName } from './object-name.ts'
import { addressOfUrl } from './webhook-address.ts'
import { WebhookStatePill } from './webhook-state-pill.tsx'

const POLL_MS = 10_000

export function WebhooksArea() {
  const webhooks = useResource<ListedWebhook[]>('/webhooks')
  usePolling(webhooks.refresh, POLL_MS)
  return (
    <Area
      title={texts.webhooks.title}
      lead={texts.webhooks.lead}
      actions={
        <PlaceLink className="button button-primary" to={{ area: 'new-webhook' }}>
          {texts.webhooks.create}
        </PlaceLink>
      }
    >
      <ResourceView resource={webhooks}>
        {(list) =>
          list.length === 0 ? (
            <NoWebhooks />
          ) : (
            <>
              <ul className="rows">
                {list.map((webhook) => (
                  <li key={webhook.id}>
                    <WebhookRow webhook={webhook} />
                  </li>
                ))}
              </ul>
              <Count count={list.length} />
            </>
          )
        }
      </ResourceView>
    </Area>
  )
}

function WebhookRow({ webhook }: { webhook: ListedWebhook }) {
  const { id, url, description, eventTypes, nextProbeAt, lastDay, origin, orphanedAt } = webhook
  const { host, path } = addressOfUrl(url)
  return (
    <PlaceLink className="row row-link row-webhook" to={{ area: 'webhook', id }}>
      <span className="row-main">
        <span className="webhook-url" title={url}>
          <strong>{host}</strong>
          {path}
        </span>
        <span className="row-line">
          {[
            description,
            texts.webhooks.typeCount(eventTypes.length),
            origin === 'Kubernetes' && texts.webhooks.managedRow(objectName(webhook)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="row-states">
        <WebhookStatePill webhook={webhook} />
        {orphanedAt && <Pill tone="warning">{texts.webhooks.orphanedRow}</Pill>}
        {nextProbeAt && (
          <span className="row-line">
            <Moment at={nextProbeAt} as="distance" words={texts.webhooks.nextProbe} />
          </span>
        )}
      </span>
      <DayChart hours={lastDay} />
      <ChevronRightIcon />
    </PlaceLink>
  )
}

/** Shown once the limit is known. */
function Count({ count }: { count: number }) {
  const { loaded } = useResource<Organisation>('/organisation')
  return loaded.phase === 'ready' ? <p className="muted">{texts.webhooks.countOf(count, loaded.value.webhookLimit)}</p> : null
}
