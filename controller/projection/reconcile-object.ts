// Brings one object and its row together: observe, plan, act, until nothing is left to do; then the status. The kinds give the steps.
import { FencedError } from '#core/mirror/fence.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import type { Resource } from '#core/platform/kubernetes/kube-object.ts'
import { outageOf } from '#core/platform/postgres/startup-error.ts'
import type { NewEvent } from '../resource/event-rules.ts'
import { isSameStatus, type ShownObject } from '../resource/shown-status.ts'
import { applyStatus } from '../runtime/object-calls.ts'
import type { Outcome } from '../runtime/reconciler.ts'
import type { KindContext, Progress } from './kind-context.ts'
import { CONTROLLER_MANAGER } from './object-writes.ts'
import type { PendingChanges } from './pending-changes.ts'

/** The types of a kind. */
export interface Steps<
  T extends ShownObject,
  Done extends Progress<T>,
  Snapshot extends { object?: T | undefined },
  Effect extends { do: string },
  Plan extends { effects: Effect[] },
> {
  resource: Resource
  /** What the reconcile has done, at its beginning. */
  newProgress: () => Done
  observe: (key: string, progress: Done) => Promise<Snapshot>
  plan: (snapshot: Snapshot) => Plan
  /** Each effect is idempotent. */
  act: (snapshot: Snapshot, effect: Effect, progress: Done) => Promise<void>
  /** After a plan without effects. */
  statusOf: (snapshot: Snapshot, plan: Plan) => NonNullable<T['status']>
  /** While Postgres cannot be reached. */
  unavailableStatus: (object: T, now: Date) => NonNullable<T['status']>
  eventsOf: (before: NonNullable<T['status']> | Record<string, never>, after: NonNullable<T['status']>) => NewEvent[]
  outcomeOf: (snapshot: Snapshot, plan: Plan) => Outcome
}

/** More than any chain of effects needs. */
const MOST_ROUNDS = 10
const UNDEFINED_RETRY_MS = 10_000

/** The reconcile of a key `namespace/name`. Throws KubeError, FencedError, and errors of the database. */
export function newReconcile<
  T extends ShownObject,
  Done extends Progress<T>,
  Snapshot extends { object?: T | undefined },
  Effect extends { do: string },
  Plan extends { effects: Effect[] },
>(
  context: KindContext<T>,
  pending: PendingChanges,
  steps: Steps<T, Done, Snapshot, Effect, Plan>,
): (key: string) => Promise<Outcome> {
  const { kind } = steps.resource
  return async (key) => {
    const changes = pending.of(key)
    const shown = (): void => {
      pending.remove(key, changes)
      context.leadership.acknowledge(changes)
    }
    try {
      const outcome = await settle(key)
      shown()
      return outcome
    } catch (error) {
      if (error instanceof FencedError) context.leadership.fenced(error)
      if (outageOf(error) !== undefined) await showOutage(key)
      // The definition is gone; its objects are written again when it is back.
      if (error instanceof KubeError && error.status === 404) return { kind: 'after', ms: UNDEFINED_RETRY_MS }
      if (!(error instanceof KubeError) || error.status !== 422) throw error
      context.log.warn({ kind, key, reason: error.message }, 'mirror.refused_by_server')
      shown()
      return { kind: 'refuse', reason: error.reason }
    }
  }

  async function settle(key: string): Promise<Outcome> {
    const progress = steps.newProgress()
    const vanished = context.vanished.of(key)
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const snapshot = await steps.observe(key, progress)
      if (snapshot.object) progress.object = snapshot.object
      else progress.isDeleted = true
      const planned = steps.plan(snapshot)
      if (planned.effects.length === 0) {
        await writeStatus(snapshot, planned)
        if (!context.holdsDeletions()) context.vanished.forget(key, vanished)
        return steps.outcomeOf(snapshot, planned)
      }
      context.log.debug({ kind, key, effects: planned.effects.map((effect) => effect.do) }, 'mirror.planned')
      for (const effect of planned.effects) {
        context.leadership.signal.throwIfAborted()
        await steps.act(snapshot, effect, progress)
      }
    }
    throw new Error(`${key} still has effects after ${MOST_ROUNDS} rounds.`)
  }

  async function writeStatus(snapshot: Snapshot, planned: Plan): Promise<void> {
    const { object } = snapshot
    if (!object || object.metadata.deletionTimestamp) return
    const status = steps.statusOf(snapshot, planned)
    if (isSameStatus(object.status, status)) return
    await storeStatus(object, status)
    for (const event of steps.eventsOf(object.status ?? {}, status)) context.events.record({ regarding: object, ...event })
  }

  async function storeStatus({ apiVersion, kind: itsKind, metadata }: T, status: object): Promise<void> {
    const { name, namespace = context.namespace, resourceVersion = '' } = metadata
    const { kube, leadership } = context
    await leadership.takeWrite()
    const body = { apiVersion, kind: itsKind, metadata: { name, namespace, resourceVersion }, status }
    await applyStatus(kube, steps.resource, body, { manager: CONTROLLER_MANAGER, force: true, signal: leadership.signal })
  }

  /** Once per object and outage: the second time the status is the same. */
  async function showOutage(key: string): Promise<void> {
    const object = context.store.get(key)
    if (!object || object.metadata.deletionTimestamp) return
    const status = steps.unavailableStatus(object, context.clock.wall())
    if (isSameStatus(object.status, status)) return
    try {
      await storeStatus(object, status)
    } catch (error) {
      // Of both failures the database's is the one to report and to retry for.
      const reason = error instanceof Error ? error.message : String(error)
      context.log.debug({ kind, key, reason }, 'mirror.outage_not_shown')
    }
  }
}
