// What the reconciles of one leadership share.
import type { KindContext, Progress } from '../projection/kind-context.ts'
import type { WebhookSubscription } from './resource.ts'

export interface WebhookContext extends KindContext<WebhookSubscription> {
  /** When the Secret of an object was last checked, by the uid of the object. */
  secretsCheckedAt: Map<string, number>
}

export interface WebhookProgress extends Progress<WebhookSubscription> {
  refusal?: {
    reason: 'LimitExceeded' | 'AddressRefused' | 'OrganisationUnknown' | 'Duplicate'
    message: string
  }
  adoptionRefusal?: string
  probeRequest?: string
  rotationRequest?: string
}
