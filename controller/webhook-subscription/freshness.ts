// When the cached object may not decide: a cache is always a little behind. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { secondTime } from '../runtime/wire-time.ts'
import type { WebhookSubscription } from './resource.ts'
import { ADOPT, RESOLVE } from './snapshot.ts'

/** True when object and row disagree about whether the other exists, or which is newer; then the object is read from the API server first. */
export function needsLiveRead(
  object: WebhookSubscription | undefined,
  row: MirroredWebhook | undefined,
  vanished: readonly MirroredWebhook[],
): boolean {
  if (vanished.length > 0) return true
  if (!object || !row) return object !== row
  const { uid, generation = 0 } = object.metadata
  if (row.version < (object.status?.rowVersion ?? 0)) return true
  return row.object !== null && (row.object.uid !== uid || row.object.generation > generation)
}

/** True when the Secret of an object may hold other secrets than its row: they changed, or a user decided between two rows or two times. */
export function needsSecretRead({ status, metadata }: WebhookSubscription, { id, secret }: MirroredWebhook): boolean {
  const { annotations = {} } = metadata
  if (annotations[ADOPT] !== undefined || annotations[RESOLVE] !== undefined) return true
  if (status?.subscriptionId !== id || status.secret?.revision !== secret.revision) return true
  return status.secret.previousValidUntil !== (secret.previousExpiresAt ? secondTime(secret.previousExpiresAt) : undefined)
}
