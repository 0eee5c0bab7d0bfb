// The filter above the history. It updates the URL, so that a filtered history can be shared.
import { DELIVERY_STATUSES, EVENT_TYPES } from '../../data/records.ts'
import { SelectInput } from '../../forms/select-input.tsx'
import { texts } from '../../locales/texts.ts'
import type { DeliveryListQuery } from '../../routing/place.ts'
import { goTo } from '../../routing/use-place.ts'

const STATUS_OPTIONS = [
  ['', texts.deliveries.allStatuses] as const,
  ...DELIVERY_STATUSES.map((status) => [status, texts.deliveries.statuses[status]] as const),
]
const TYPE_OPTIONS = [['', texts.deliveries.allTypes] as const, ...EVENT_TYPES.map((type) => [type, type] as const)]

export function DeliveryFilter({ webhookId, filter }: { webhookId: string; filter: DeliveryListQuery }) {
  const show = (change: Partial<DeliveryListQuery>) =>
    goTo({ area: 'deliveries', webhookId, filter: { ...filter, ...change, page: 0 } }, 'replace')
  return (
    <search className="filter filter-even">
      <SelectInput
        label={texts.deliveries.status}
        value={STATUS_OPTIONS.find(([key]) => key === filter.status)?.[0] ?? ''}
        options={STATUS_OPTIONS}
        onChange={(status) => show({ status })}
      />
      <SelectInput
        label={texts.deliveries.type}
        value={TYPE_OPTIONS.find(([key]) => key === filter.eventType)?.[0] ?? ''}
        options={TYPE_OPTIONS}
        onChange={(eventType) => show({ eventType })}
      />
    </search>
  )
}
