// When the Secret of an object may not be trusted to hold what its row has. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { ADOPT, RESOLVE } from '../resource/annotations.ts'
import type { WebhookSubscription } from './resource.ts'

/** True before another Secret is shown, and when a user has decided between two rows or two times: what is recorded of the Secret may not be so. */
export function needsSecretCheck({ metadata, status }: WebhookSubscription, { secret }: MirroredWebhook): boolean {
  const { annotations = {} } = metadata
  if (annotations[ADOPT] !== undefined || annotations[RESOLVE] !== undefined) return true
  return (status?.secret?.secretName ?? null) !== secret.objectName
}
