// The delivery history of a webhook, newest first, in pages. It follows what happens while it is open.
import { useState } from 'react'
import { codeOf } from '../../../http/failure.ts'
import { ActionButton } from '../../../components/action-button.tsx'
import type { DeliveryPage, Webhook } from '../../data/records.ts'
import { ResourceView } from '../../data/resource-view.tsx'
import { usePolling } from '../../data/use-polling.ts'
import { useResource } from '../../data/use-resource.ts'
import { Area } from '../../frame/area.tsx'
import { EmptyState } from '../../frame/parts.tsx'
import { UnknownArea } from '../../frame/unknown-area.tsx'
import { texts } from '../../locales/texts.ts'
import { ALL_DELIVERIES, type DeliveryListQuery } from '../../routing/place.ts'
import { goTo } from '../../routing/use-place.ts'
import { addressOfUrl } from '../webhook-address.ts'
import { DeliveryFilter } from './delivery-filter.tsx'
import { DeliveryPages } from './delivery-pages.tsx'
import { DeliveryRows } from './delivery-rows.tsx'
import { deliveryListPath } from './delivery-search.ts'
import { ReplaySinceDialog } from './replay-since-dialog.tsx'

const POLL_MS = 4_000

export function DeliveriesArea({ webhookId, filter }: { webhookId: string; filter: DeliveryListQuery }) {
  const webhook = useResource<Webhook>(`/webhooks/${webhookId}`)
  const deliveries = useResource<DeliveryPage>(deliveryListPath(webhookId, filter))
  const [isReplaying, setReplaying] = useState(false)
  usePolling(deliveries.refresh, POLL_MS)
  const { loaded } = webhook
  if (loaded.phase === 'failed' && codeOf(loaded.failure) === 'WEBHOOK_NOT_FOUND') return <UnknownArea />
  return (
    <Area
      title={texts.deliveries.title}
      lead={texts.deliveries.hint}
      parent={{
        place: { area: 'webhook', id: webhookId },
        name: loaded.phase === 'ready' ? addressOfUrl(loaded.value.url).host : texts.webhooks.one,
      }}
      actions={
        <ActionButton look="secondary" onPress={() => setReplaying(true)}>
          {texts.deliveries.resendAll}
        </ActionButton>
      }
    >
      <DeliveryFilter webhookId={webhookId} filter={filter} />
      <ResourceView resource={deliveries} lines={8}>
        {(page) =>
          page.content.length > 0 ? (
            <>
              <DeliveryRows webhookId={webhookId} deliveries={page.content} />
              <DeliveryPages
                page={page}
                onShow={(index) => goTo({ area: 'deliveries', webhookId, filter: { ...filter, page: index } })}
              />
            </>
          ) : (
            <NoDeliveries webhookId={webhookId} filter={filter} />
          )
        }
      </ResourceView>
      {isReplaying && (
        <ReplaySinceDialog webhookId={webhookId} onDone={() => void deliveries.refresh()} onClose={() => setReplaying(false)} />
      )}
    </Area>
  )
}

function NoDeliveries({ webhookId, filter }: { webhookId: string; filter: DeliveryListQuery }) {
  if (!filter.status && !filter.eventType && filter.page === 0)
    return <EmptyState title={texts.deliveries.emptyTitle} body={texts.deliveries.emptyBody} />
  return (
    <EmptyState title={texts.deliveries.noMatchTitle} body={texts.deliveries.noMatchBody}>
      <ActionButton look="secondary" onPress={() => goTo({ area: 'deliveries', webhookId, filter: ALL_DELIVERIES }, 'replace')}>
        {texts.deliveries.clearFilter}
      </ActionButton>
    </EmptyState>
  )
}
