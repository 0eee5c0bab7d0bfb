// A webhook as its organisation sees it: everything but the secret.
import type { WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { DisabledReason, Origin, Votes } from './rules.ts'

export interface Webhook extends Votes {
  id: WebhookId
  url: string
  description: string
  eventTypes: EventType[]
  origin: Origin
  createdAt: Date
  /** Null while it is enabled. Of several votes SUSPENDED is shown before BY_ADMIN, and both before AUTOMATIC. */
  disabledReason: DisabledReason | null
  disabledAt: Date | null
  /** While it is probed regularly. */
  nextProbeAt: Date | null
  consecutiveExhausted: number
  /** Null for a secret that a user in Kubernetes chose. */
  secretLastFour: string | null
  /** Null for a secret that was not shown yet. */
  secretShownAt: Date | null
  /** Null when there is none, or it has expired. */
  previousSecretExpiresAt: Date | null
  /** Object in Kubernetes: it decides what a webhook managed there is, and shows one created in the panel. Null while there is none. */
  object: { namespace: string; name: string } | null
  /** Since when that object has been gone without a deletion. */
  orphanedAt: Date | null
}
