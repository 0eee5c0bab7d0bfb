// The newest deliveries on the page of their webhook.
import type { DeliveryPage } from '../../data/records.ts'
import { ResourceView } from '../../data/resource-view.tsx'
import type { Resource } from '../../data/use-resource.ts'
import { Section } from '../../frame/area.tsx'
import { EmptyState } from '../../frame/parts.tsx'
import { texts } from '../../locales/texts.ts'
import { ALL_DELIVERIES } from '../../routing/place.ts'
import { PlaceLink } from '../../routing/place-link.tsx'
import { DeliveryRows } from './delivery-rows.tsx'

export function LatestDeliveries({ webhookId, deliveries }: { webhookId: string; deliveries: Resource<DeliveryPage> }) {
  return (
    <Section
      title={texts.deliveries.latest}
      actions={<PlaceLink to={{ area: 'deliveries', webhookId, filter: ALL_DELIVERIES }}>{texts.deliveries.all}</PlaceLink>}
    >
      <ResourceView resource={deliveries} lines={3}>
        {({ content }) =>
          content.length > 0 ? (
            <DeliveryRows webhookId={webhookId} deliveries={content} isPlain />
          ) : (
            <EmptyState title={texts.deliveries.emptyTitle} body={texts.deliveries.emptyBody} />
          )
        }
      </ResourceView>
    </Section>
  )
}
