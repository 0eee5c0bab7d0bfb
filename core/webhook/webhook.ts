// A webhook as its organisation sees it: everything but the secret.
import type { WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { DisabledReason, Origin } from './rules.ts'

export interface Webhook {
  id: WebhookId
  url: string
  description: string
  eventTypes: EventType[]
  origin: Origin
  createdAt: Date
  /** Null while it is enabled. */
  disabledReason: DisabledReason | null
  disabledAt: Date | null
  /** Of an automatically disabled webhook. */
  nextProbeAt: Date | null
  consecutiveExhausted: number
  secretLastFour: string
  /** Null for a secret that was not shown yet. */
  secretShownAt: Date | null
  /** Null when there is none, or it has expired. */
  previousSecretExpiresAt: Date | null
}
