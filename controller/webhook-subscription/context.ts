// What the reconciles of one leadership share.
import type { KindContext, Progress } from '../projection/kind-context.ts'
import type { WebhookSubscription } from './resource.ts'

export interface WebhookContext extends KindContext<WebhookSubscription> {
  /** When Secrets of an object were last compared, by its uid. */
  secretsReadAt: Map<string, number>
}

export interface WebhookProgress extends Progress<WebhookSubscription> {
  refusal?: {
    reason: 'LimitExceeded' | 'AddressRefused' | 'OrganisationUnknown' | 'SecretUnusable' | 'Duplicate'
    message: string
  }
  adoptionRefusal?: string
  hasAppliedSecret?: true
  probeRequest?: string
  rotationRequest?: string
}
