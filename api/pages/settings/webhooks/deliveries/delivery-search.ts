// Converts the filter of the history into the query of the API. Pure.
import { DELIVERY_STATUSES, EVENT_TYPES } from '../../data/records.ts'
import type { DeliveryListQuery } from '../../routing/place.ts'

export const PAGE_SIZE = 20

/** The path of the list; an unknown status or event type does not filter. */
export function deliveryListPath(webhookId: string, { status, eventType, page }: DeliveryListQuery): string {
  const search = new URLSearchParams({ page: String(page), size: String(PAGE_SIZE) })
  if (DELIVERY_STATUSES.some((known) => known === status)) search.set('status', status)
  if (EVENT_TYPES.some((known) => known === eventType)) search.set('eventType', eventType)
  return `/webhooks/${webhookId}/deliveries?${search}`
}
