// A delivery, as its history shows it.
import type { DeliveryId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { DeliveryStatus } from '#core/webhook/rules.ts'
import type { Attempt } from '#core/webhook/request/attempt.ts'

export interface Delivery {
  id: DeliveryId
  eventId: string
  eventType: EventType
  kind: 'EVENT' | 'REPLAY' | 'TEST' | 'PROBE'
  status: DeliveryStatus
  /** Why it ended otherwise than by its attempts: a ClosingReason, or the error that prevented the body. */
  reason: string | null
  createdAt: Date
  /** Oldest first. */
  attempts: Attempt[]
  /** Null when none is planned. */
  nextAttemptAt: Date | null
}

export interface DeliveryWithBody extends Delivery {
  /** The exact text that is sent; null when it could not be built. */
  body: string | null
}

export interface DeliveryFilter {
  /** Matches any of them; empty: all. */
  statuses: readonly DeliveryStatus[]
  eventType?: EventType | undefined
}
