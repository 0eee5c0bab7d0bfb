// What the reconciles of one leadership share.
import type { ObjectStore } from '../runtime/object-store.ts'
import type { Leadership, OperatorContext } from '../projection/kind.ts'
import type { WebhookSubscription } from './resource.ts'

export interface WebhookContext extends OperatorContext {
  leadership: Leadership
  store: ObjectStore<WebhookSubscription>
  /** Uids of objects that are gone, by the key that they had, until a reconcile has seen to their rows. */
  vanished: Map<string, Set<string>>
  /** Keys whose last write met another version than the cache has. */
  outdated: Set<string>
  /** When Secrets of an object were last compared, by its uid. */
  secretsReadAt: Map<string, number>
  holdsDeletions: () => boolean
  /** Whether one more object may be projected. */
  hasRoom: () => boolean
}

/** What one reconcile has done so far: its own cache may not show it yet. */
export interface Progress {
  /** As the API server stored it last. */
  object?: WebhookSubscription
  isDeleted?: true
  refusal?: {
    reason: 'LimitExceeded' | 'AddressRefused' | 'OrganisationUnknown' | 'SecretUnusable' | 'Duplicate'
    message: string
  }
  adoptionRefusal?: string
  hasAppliedSecret?: true
  probeRequest?: string
  rotationRequest?: string
}

export function newProgress(): Progress {
  return {}
}
