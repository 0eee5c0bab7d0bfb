// A delivery, as answers hold it.
import type { Attempt } from '#core/webhook/request/attempt.ts'
import type { Delivery, DeliveryFilter, DeliveryWithBody } from '#core/webhook/delivery/delivery.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '#core/webhook/rules.ts'
import type { z } from 'zod'
import type { DeliveryResponse, DeliveryWithBodyResponse, ListDeliveriesQuery } from '../schemas/delivery.ts'
import { toFailureFields } from './failure.ts'

const NAMES = {
  WAITING: 'WAITING',
  REJECTED: 'REJECTED_UNREACHABLE',
  DELIVERED: 'DELIVERED',
  GAVE_UP: 'GAVE_UP',
  NOT_SENT: 'NOT_SENT',
  NOT_BUILT: 'COULD_NOT_BE_BUILT',
} as const satisfies Record<DeliveryStatus, DeliveryResponse['status']>

export function toDeliveryResponse(delivery: Delivery): DeliveryResponse {
  const { id, eventId, eventType, kind, status, reason, createdAt, attempts, nextAttemptAt } = delivery
  return {
    id,
    eventId,
    eventType,
    status: NAMES[status],
    ...(reason !== null && { reason }),
    createdAt: createdAt.toISOString(),
    attempts: attempts.map(toAttemptResponse),
    ...(nextAttemptAt && { nextAttemptAt: nextAttemptAt.toISOString() }),
    probe: kind === 'PROBE',
    test: kind === 'TEST',
    replay: kind === 'REPLAY',
  }
}

export function toDeliveryWithBodyResponse(delivery: DeliveryWithBody): DeliveryWithBodyResponse {
  return { ...toDeliveryResponse(delivery), body: delivery.body }
}

/** The filter that a query names. */
export function toDeliveryFilter({ status = [], eventType }: z.output<typeof ListDeliveriesQuery>): DeliveryFilter {
  return { statuses: DELIVERY_STATUSES.filter((each) => status.includes(NAMES[each])), eventType }
}

function toAttemptResponse({ at, durationMs, responseStatus, failure }: Attempt): DeliveryResponse['attempts'][number] {
  return {
    at,
    ...(responseStatus !== undefined && { responseStatus }),
    ...(failure && toFailureFields(failure)),
    durationMs,
  }
}
