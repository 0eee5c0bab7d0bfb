// The status of an object, from what the reconcile found. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { withTimes } from '../resource/shown-status.ts'
import { secondTime } from '../runtime/wire-time.ts'
import { conditionsOf } from './conditions.ts'
import type { Plan } from './effect.ts'
import type { WebhookSubscription, WebhookSubscriptionStatus } from './resource.ts'
import type { Snapshot } from './snapshot.ts'

/** The status after a plan without effects. While object and row disagree, the figures of the row stay as they were: they show what was lost. */
export function statusOf(snapshot: Snapshot, { refusal, mismatch }: Plan): WebhookSubscriptionStatus {
  const { object, row, now } = snapshot
  const before = object?.status ?? {}
  const generation = object?.metadata.generation ?? 0
  const next = conditionsOf({ object, row, refusal, mismatch, before: before.conditions ?? [] })
  const conditions = withTimes(before, next, generation, now)
  if (mismatch?.reason === 'StoreRolledBack') return { ...before, observedGeneration: generation, conditions }
  if (!row) return { observedGeneration: generation, conditions, ...lostSecret(before) }
  return {
    observedGeneration: generation,
    subscriptionId: row.id,
    rowVersion: row.version,
    conditions,
    health: healthOf(row),
    secret: secretOf(row, before.secret?.secretName),
  }
}

/** The Secret of a row that was lost is named until the object has a row again: it has the secret of the receiver. */
function lostSecret({ secret }: WebhookSubscriptionStatus): Pick<WebhookSubscriptionStatus, 'secret'> {
  return secret ? { secret } : {}
}

/** The status while Postgres cannot be reached: only Synced and Ready change. */
export function unavailableStatus(object: WebhookSubscription, now: Date): WebhookSubscriptionStatus {
  const before = object.status ?? {}
  const generation = object.metadata.generation ?? 0
  const next = conditionsOf({ object, isStoreUnavailable: true, before: before.conditions ?? [] })
  return { ...before, observedGeneration: generation, conditions: withTimes(before, next, generation, now) }
}

function healthOf(row: MirroredWebhook): NonNullable<WebhookSubscriptionStatus['health']> {
  const { lastFailure } = row
  return {
    consecutiveExhausted: row.consecutiveExhausted,
    ...(row.disabledAt && { disabledTime: secondTime(row.disabledAt) }),
    ...(row.nextProbeAt && { nextProbeTime: secondTime(row.nextProbeAt) }),
    ...(row.lastProbeAt && { lastProbeTime: secondTime(row.lastProbeAt) }),
    ...(row.lastProbeRequest !== null && { lastProbeRequest: row.lastProbeRequest }),
    ...(lastFailure && {
      lastFailure: { time: secondTime(lastFailure.at), code: lastFailure.code, reason: lastFailure.reason.slice(0, 1024) },
    }),
  }
}

/** `shown`: the Secret that the object names until the one with the secrets in use is there. */
function secretOf(
  { secret, origin }: MirroredWebhook,
  shown: string | undefined,
): NonNullable<WebhookSubscriptionStatus['secret']> {
  const isCurrent =
    secret.objectName === null || secret.created.some(({ name, uid }) => name === secret.objectName && uid !== null)
  const secretName = isCurrent ? secret.objectName : shown
  return {
    revision: secret.revision,
    ...(secret.handledRequest !== null && { handledRequest: secret.handledRequest }),
    ...(secret.previousExpiresAt && { previousValidUntil: secondTime(secret.previousExpiresAt) }),
    ...(origin === 'KUBERNETES' && secretName && { secretName }),
  }
}
