// The steps of the reconcile of a WebhookSubscription.
import type { Steps } from '../projection/reconcile-object.ts'
import type { Outcome } from '../runtime/reconciler.ts'
import { act } from './act.ts'
import type { WebhookContext, WebhookProgress } from './context.ts'
import type { Effect, Plan } from './effect.ts'
import { eventsOf } from './events.ts'
import { observe, secretCheckDueInMs } from './observe.ts'
import { plan } from './plan.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from './resource.ts'
import type { Snapshot } from './snapshot.ts'
import { statusOf, unavailableStatus } from './status.ts'

export function webhookSteps(context: WebhookContext): Steps<WebhookSubscription, WebhookProgress, Snapshot, Effect, Plan> {
  return {
    resource: WEBHOOK_SUBSCRIPTIONS,
    newProgress: () => ({}),
    observe: (key, progress) => observe(context, key, progress),
    plan,
    act: (snapshot, effect, progress) => act(context, snapshot, effect, progress),
    statusOf,
    unavailableStatus,
    eventsOf,
    outcomeOf: (snapshot, planned) => outcomeOf(context, snapshot, planned),
  }
}

function outcomeOf(context: WebhookContext, snapshot: Snapshot, { refusal, mismatch }: Plan): Outcome {
  const reason = refusal?.reason ?? mismatch?.reason
  if (reason !== undefined) return { kind: 'refuse', reason }
  const times = [...untilGraceEnds(snapshot), ...untilSecretCheck(context, snapshot)]
  return times.length > 0 ? { kind: 'after', ms: Math.min(...times) } : { kind: 'done' }
}

/** The end of a grace changes the object, but not the row. */
function untilGraceEnds({ row, now }: Snapshot): number[] {
  const end = row?.secret.previousExpiresAt
  return end ? [Math.max(1000, end.getTime() - now.getTime() + 1000)] : []
}

/** Records that the Secret was checked now, if that was due. */
function untilSecretCheck(context: WebhookContext, { object, row }: Snapshot): number[] {
  if (!object || row?.origin !== 'KUBERNETES' || object.metadata.deletionTimestamp) return []
  if (secretCheckDueInMs(context, object) <= 0) context.secretsCheckedAt.set(object.metadata.uid, context.clock.elapsedMs())
  return [secretCheckDueInMs(context, object)]
}
