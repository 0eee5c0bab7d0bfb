// When the Secret of an object may not be trusted to hold what its row has. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { ADOPT, RESOLVE } from '../resource/annotations.ts'
import { secondTime } from '../runtime/wire-time.ts'
import type { WebhookSubscription } from './resource.ts'

/** True when the Secret of an object may hold other secrets than its row: they changed, or a user decided between two rows or two times. */
export function needsSecretRead({ status, metadata }: WebhookSubscription, { id, secret }: MirroredWebhook): boolean {
  const { annotations = {} } = metadata
  if (annotations[ADOPT] !== undefined || annotations[RESOLVE] !== undefined) return true
  if (status?.subscriptionId !== id || status.secret?.revision !== secret.revision) return true
  return status.secret.previousValidUntil !== (secret.previousExpiresAt ? secondTime(secret.previousExpiresAt) : undefined)
}
