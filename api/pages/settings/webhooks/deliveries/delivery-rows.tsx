// Deliveries as rows that lead to their details.
import type { Delivery } from '../../data/records.ts'
import { Moment } from '../../frame/moment.tsx'
import { texts } from '../../locales/texts.ts'
import { PlaceLink } from '../../routing/place-link.tsx'
import { DeliveryStatusPill, kindOf } from './delivery-status-pill.tsx'

export interface DeliveryRowsProps {
  webhookId: string
  deliveries: readonly Delivery[]
  /** Within a sheet. */
  isPlain?: boolean
}

export function DeliveryRows({ webhookId, deliveries, isPlain = false }: DeliveryRowsProps) {
  return (
    <ul className={isPlain ? 'rows rows-plain' : 'rows'}>
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <DeliveryRow webhookId={webhookId} delivery={delivery} />
        </li>
      ))}
    </ul>
  )
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const { id, eventType, status, createdAt, attempts, nextAttemptAt } = delivery
  const kind = kindOf(delivery)
  return (
    <PlaceLink className="row row-link row-delivery" to={{ area: 'delivery', webhookId, deliveryId: id }}>
      <span className="row-main">
        <code className="row-title">{eventType}</code>
        {kind && <span className="row-line">{kind}</span>}
      </span>
      <span className="row-state">
        <DeliveryStatusPill status={status} />
      </span>
      <span className="row-line">
        {texts.deliveries.attempts(attempts.length)}
        {nextAttemptAt && (
          <>
            {' · '}
            <Moment at={nextAttemptAt} as="distance" words={texts.deliveries.next} />
          </>
        )}
      </span>
      <span className="row-end row-line">
        <Moment at={createdAt} as="distance" />
      </span>
    </PlaceLink>
  )
}
