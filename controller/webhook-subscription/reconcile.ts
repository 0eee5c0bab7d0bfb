// Brings one object and its row together: observe, plan, act, until nothing is left to do; then the status.
import { FencedError } from '#core/mirror/fence.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { outageOf } from '#core/platform/postgres/startup-error.ts'
import type { PendingChanges } from '../projection/pending-changes.ts'
import { applyStatus } from '../runtime/object-calls.ts'
import type { Outcome } from '../runtime/reconciler.ts'
import { act } from './act.ts'
import { newProgress, type WebhookContext } from './context.ts'
import { eventsOf } from './events.ts'
import { observe, secretsDueInMs } from './observe.ts'
import type { Plan } from './effect.ts'
import { plan } from './plan.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription, type WebhookSubscriptionStatus } from './resource.ts'
import type { Snapshot } from './snapshot.ts'
import { isSameStatus, statusOf, unavailableStatus } from './status.ts'

/** More than any chain of effects needs. */
const MOST_ROUNDS = 10
const SECRET_MISSING_RETRY_MS = 60_000
const UNDEFINED_RETRY_MS = 10_000

/** The reconcile of a key `namespace/name`. Throws KubeError, FencedError, and errors of the database. */
export function newReconcile(context: WebhookContext, pending: PendingChanges): (key: string) => Promise<Outcome> {
  const shown = (key: string, changes: ReturnType<PendingChanges['of']>): void => {
    pending.remove(key, changes)
    context.leadership.acknowledge(changes)
  }
  return async (key) => {
    const changes = pending.of(key)
    try {
      const outcome = await settle(context, key)
      shown(key, changes)
      return outcome
    } catch (error) {
      if (error instanceof FencedError) context.leadership.fenced(error)
      if (outageOf(error) !== undefined) await showOutage(context, key)
      if (error instanceof KubeError && error.status === 409) context.outdated.add(key)
      // The definition is gone; its objects are written again when it is back.
      if (error instanceof KubeError && error.status === 404) return { kind: 'after', ms: UNDEFINED_RETRY_MS }
      if (!(error instanceof KubeError) || error.status !== 422) throw error
      context.log.warn({ key, reason: error.message }, 'webhook_subscription.refused_by_server')
      shown(key, changes)
      return { kind: 'refuse', reason: error.reason }
    }
  }
}

async function settle(context: WebhookContext, key: string): Promise<Outcome> {
  const progress = newProgress()
  const vanished = [...(context.vanished.get(key) ?? [])]
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const snapshot = await observe(context, key, progress)
    if (snapshot.object) progress.object = snapshot.object
    else progress.isDeleted = true
    const planned = plan(snapshot)
    if (planned.effects.length === 0) {
      await writeStatus(context, snapshot, planned)
      forgetVanished(context, key, vanished)
      return outcomeOf(context, snapshot, planned)
    }
    context.log.debug({ key, effects: planned.effects.map((effect) => effect.do) }, 'webhook_subscription.planned')
    for (const effect of planned.effects) await act(context, snapshot, effect, progress)
  }
  throw new Error(`${key} still has effects after ${MOST_ROUNDS} rounds.`)
}

function forgetVanished(context: WebhookContext, key: string, uids: readonly string[]): void {
  if (context.holdsDeletions()) return
  const left = context.vanished.get(key)
  for (const uid of uids) left?.delete(uid)
  if (left?.size === 0) context.vanished.delete(key)
}

async function writeStatus(context: WebhookContext, snapshot: Snapshot, planned: Plan): Promise<void> {
  const { object } = snapshot
  if (!object || object.metadata.deletionTimestamp) return
  const status = statusOf(snapshot, planned)
  if (isSameStatus(object.status, status)) return
  await storeStatus(context, object, status)
  for (const event of eventsOf(object.status ?? {}, status)) context.events.record({ regarding: object, ...event })
}

async function storeStatus(
  context: WebhookContext,
  object: WebhookSubscription,
  status: WebhookSubscriptionStatus,
): Promise<void> {
  const { apiVersion, kind, metadata } = object
  const { name, namespace = context.namespace, resourceVersion = '' } = metadata
  const { kube, leadership } = context
  await leadership.takeWrite()
  const body = { apiVersion, kind, metadata: { name, namespace, resourceVersion }, status }
  await applyStatus(kube, WEBHOOK_SUBSCRIPTIONS, body, {
    manager: 'sealwright-controller',
    force: true,
    signal: leadership.signal,
  })
}

/** Once per object and outage: the second time the status is the same. */
async function showOutage(context: WebhookContext, key: string): Promise<void> {
  const object = context.store.get(key)
  if (!object || object.metadata.deletionTimestamp) return
  const status = unavailableStatus(object, context.clock.wall())
  if (isSameStatus(object.status, status)) return
  try {
    await storeStatus(context, object, status)
  } catch (error) {
    // Of both failures the database's is the one to report and to retry for.
    context.log.debug(
      { key, reason: error instanceof Error ? error.message : String(error) },
      'webhook_subscription.outage_not_shown',
    )
  }
}

function outcomeOf(context: WebhookContext, snapshot: Snapshot, { refusal, mismatch }: Plan): Outcome {
  const reason = refusal?.reason ?? mismatch?.reason
  if (reason === 'SecretMissing') return { kind: 'after', ms: SECRET_MISSING_RETRY_MS }
  if (reason !== undefined) return { kind: 'refuse', reason }
  const times = [...untilGraceEnds(snapshot), ...untilSecretsAreDue(context, snapshot)]
  return times.length > 0 ? { kind: 'after', ms: Math.min(...times) } : { kind: 'done' }
}

/** The end of a grace changes the object, but not the row. */
function untilGraceEnds({ row, now }: Snapshot): number[] {
  const end = row?.secret.previousExpiresAt
  return end ? [Math.max(1000, end.getTime() - now.getTime() + 1000)] : []
}

/** The Secrets were compared now if that was due. */
function untilSecretsAreDue(context: WebhookContext, { object, row }: Snapshot): number[] {
  if (!object || row?.origin !== 'KUBERNETES' || object.metadata.deletionTimestamp) return []
  if (secretsDueInMs(context, object) <= 0) context.secretsReadAt.set(object.metadata.uid ?? '', context.clock.elapsedMs())
  return [secretsDueInMs(context, object)]
}
