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

interface Planned<Effect> {
  effects: Effect[]
  /** Until then the answer of another process is awaited, and the status stays as it is. */
  waitMs?: number | undefined
}

/** The types of a kind. */
export interface Steps<
  T extends ShownObject,
  Done extends Progress<T>,
  Snapshot extends { object?: T | undefined },
  Effect extends { do: string },
  Plan extends Planned<Effect>,
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
  Plan extends Planned<Effect>,
>(
  context: KindContext<T>,
  pending: PendingChanges,
  steps: Steps<T, Done, Snapshot, Effect, Plan>,
): (key: string) => Promise<Outcome> {
  const reconcile = new ObjectReconcile(context, pending, steps)
  return (key) => reconcile.run(key)
}

class ObjectReconcile<
  T extends ShownObject,
  Done extends Progress<T>,
  Snapshot extends { object?: T | undefined },
  Effect extends { do: string },
  Plan extends Planned<Effect>,
> {
  readonly #context: KindContext<T>
  readonly #pending: PendingChanges
  readonly #steps: Steps<T, Done, Snapshot, Effect, Plan>
  readonly #kind: string

  constructor(context: KindContext<T>, pending: PendingChanges, steps: Steps<T, Done, Snapshot, Effect, Plan>) {
    this.#context = context
    this.#pending = pending
    this.#steps = steps
    this.#kind = steps.resource.kind
  }

  async run(key: string): Promise<Outcome> {
    const { leadership, outdated, log } = this.#context
    const changes = this.#pending.of(key)
    const shown = (): void => {
      this.#pending.remove(key, changes)
      leadership.acknowledge(changes)
    }
    try {
      const outcome = await this.#settle(key)
      shown()
      return outcome
    } catch (error) {
      if (error instanceof FencedError) leadership.fenced(error)
      if (outageOf(error) !== undefined) await this.#showOutage(key)
      if (error instanceof KubeError && error.status === 409) outdated.add(key)
      // The definition is gone; its objects are written again when it is back.
      if (error instanceof KubeError && error.status === 404) return { kind: 'after', ms: UNDEFINED_RETRY_MS }
      if (!(error instanceof KubeError) || error.status !== 422) throw error
      log.warn({ kind: this.#kind, key, reason: error.message }, 'mirror.refused_by_server')
      shown()
      return { kind: 'refuse', reason: error.reason }
    }
  }

  async #settle(key: string): Promise<Outcome> {
    const { vanished, holdsDeletions } = this.#context
    const progress = this.#steps.newProgress()
    const gone = vanished.of(key)
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const snapshot = await this.#steps.observe(key, progress)
      if (snapshot.object) progress.object = snapshot.object
      else progress.isDeleted = true
      const planned = this.#steps.plan(snapshot)
      if (planned.effects.length === 0) {
        if (planned.waitMs !== undefined) return { kind: 'after', ms: planned.waitMs }
        await this.#writeStatus(snapshot, planned)
        if (!holdsDeletions()) vanished.forget(key, gone)
        return this.#steps.outcomeOf(snapshot, planned)
      }
      await this.#carryOut(key, snapshot, planned, progress)
    }
    throw new Error(`${key} still has effects after ${MOST_ROUNDS} rounds.`)
  }

  async #carryOut(key: string, snapshot: Snapshot, { effects }: Plan, progress: Done): Promise<void> {
    const { leadership, log } = this.#context
    log.debug({ kind: this.#kind, key, effects: effects.map((effect) => effect.do) }, 'mirror.planned')
    for (const effect of effects) {
      leadership.signal.throwIfAborted()
      await this.#steps.act(snapshot, effect, progress)
    }
  }

  async #writeStatus(snapshot: Snapshot, planned: Plan): Promise<void> {
    const { object } = snapshot
    if (!object || object.metadata.deletionTimestamp) return
    const status = this.#steps.statusOf(snapshot, planned)
    if (isSameStatus(object.status, status)) return
    await this.#storeStatus(object, status)
    for (const event of this.#steps.eventsOf(object.status ?? {}, status)) {
      this.#context.events.record({ regarding: object, ...event })
    }
  }

  async #storeStatus({ apiVersion, kind, metadata }: T, status: object): Promise<void> {
    const { kube, leadership } = this.#context
    const { name, namespace = this.#context.namespace, resourceVersion = '' } = metadata
    await leadership.takeWrite()
    const body = { apiVersion, kind, metadata: { name, namespace, resourceVersion }, status }
    const options = { manager: CONTROLLER_MANAGER, force: true, signal: leadership.signal } as const
    await applyStatus(kube, this.#steps.resource, body, options)
  }

  /** Once per object and outage: the second time the status is the same. */
  async #showOutage(key: string): Promise<void> {
    const { store, clock, log } = this.#context
    const object = store.get(key)
    if (!object || object.metadata.deletionTimestamp) return
    const status = this.#steps.unavailableStatus(object, clock.wall())
    if (isSameStatus(object.status, status)) return
    try {
      await this.#storeStatus(object, status)
    } catch (error) {
      // Of both failures the database's is the one to report and to retry for.
      const reason = error instanceof Error ? error.message : String(error)
      log.debug({ kind: this.#kind, key, reason }, 'mirror.outage_not_shown')
    }
  }
}
