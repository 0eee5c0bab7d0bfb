// All facts from which one reconcile decides. Plain values: the decisions in plan.ts and status.ts are pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import type { SecretReference } from '#core/webhook/mirror/secret-reference.ts'
import type { WebhookReason } from '../reasons.ts'
import type { WebhookSubscription } from './resource.ts'

export interface Snapshot {
  namespace: string
  name: string
  object?: WebhookSubscription | undefined
  /** Row named by the object (origin API), or the row with its uid. */
  row?: MirroredWebhook | undefined
  /** Rows of earlier objects of this name, which disappeared without a deletion. */
  vanished: readonly MirroredWebhook[]
  /** The row that the status names, when it belongs to another object now. */
  takenOver?: MirroredWebhook | undefined
  /** Why the row of the adopt annotation was not given to this object, in this reconcile. */
  adoptionRefusal?: string | undefined
  referencedSecret: ReferencedSecret
  /** The Secret that was created for the row has been deleted or replaced. It is checked only now and then. */
  isSecretGone: boolean
  /** The answer to `apply-managed` in this reconcile, if the change was refused. */
  refusal?: Refusal | undefined
  /** Effects of this reconcile that must not be repeated in it, although no later fact shows them. */
  isApplied: { probeRequest?: string | undefined; rotationRequest?: string | undefined }
  /** Too many objects disappeared at once: nothing is deleted or marked until a human has looked. */
  holdsDeletions: boolean
  /** The custom resource definition is being deleted, and its objects with it. */
  isKindDeleted: boolean
  /** Whether one more object may be projected. */
  hasRoom: boolean
  now: Date
}

/** The secret that workers read for the object. `UNREAD`: what is known of it does not matter now. */
export type ReferencedSecret =
  | { kind: 'NONE' | 'UNREAD' }
  | { kind: 'NOT_REQUESTED'; reference: SecretReference }
  /** `forMs`: until the answer is late. */
  | { kind: 'WAITING'; forMs: number }
  /** `UNREACHABLE`: it is not known whether there is such a Secret. */
  | { kind: 'MISSING' | 'UNUSABLE' | 'UNREACHABLE'; message: string }
  | { kind: 'READ'; /** The row has it. */ isGiven: boolean }

export type RefusalReason = Exclude<WebhookReason<'Accepted'>, 'Accepted'>

export interface Refusal {
  reason: RefusalReason
  message: string
}

export const PROJECTED_NAME = /^api-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** What the row of an object is, in sentences. */
export const NOUN = 'subscription'
export const ORG_LABEL = 'sealwright.io/org-id'
export const SUBSCRIPTION_LABEL = 'sealwright.io/subscription-id'

export function projectedName(id: string): string {
  return `api-${id}`
}

/** Absence means Kubernetes. */
export function isProjected({ object, row }: Pick<Snapshot, 'object' | 'row'>): boolean {
  return object ? object.spec.origin === 'API' : row?.origin === 'API'
}
