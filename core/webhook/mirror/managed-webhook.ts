// A webhook as its object in Kubernetes describes it, and the result of applying it.
import type { OrgId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { MirroredWebhook } from './mirrored-webhook.ts'

export interface ManagedWebhook {
  uid: string
  namespace: string
  name: string
  generation: number
  /** Creation time of the object; of two equal objects the older keeps the webhook. */
  createdAt: Date
  orgId: OrgId
  url: string
  events: readonly EventType[]
  description: string
  suspend: boolean
  secret: SecretSource
}

/** `GENERATED`: by this service. `GIVEN`: by a user, in the Secret that the object names. `KEPT`: generated before the database lost the webhook; its Secret
 *  still has it. The last two take what a worker has read. */
export type SecretSource = 'GENERATED' | 'GIVEN' | 'KEPT'

export type Refused =
  | 'LimitExceeded'
  | 'AddressRefused'
  | 'OrganisationUnknown'
  /** An older object wants the same. */
  | 'Duplicate'

export interface ManagedRefusal {
  outcome: 'refused'
  reason: Refused
  /** A sentence for the user. */
  message: string
}

export type ManagedOutcome = { outcome: 'applied'; webhook: MirroredWebhook; created: boolean } | ManagedRefusal
