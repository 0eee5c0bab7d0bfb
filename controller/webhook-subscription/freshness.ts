// When the cached object may not decide: a cache is always a little behind. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
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

/** True before another Secret is shown, and when a user has decided between two rows or two times: what is recorded of the Secret may not be so. */
export function needsSecretCheck({ metadata, status }: WebhookSubscription, { secret }: MirroredWebhook): boolean {
  const { annotations = {} } = metadata
  if (annotations[ADOPT] !== undefined || annotations[RESOLVE] !== undefined) return true
  return status?.secret?.secretName !== secret.objectName
}
