// Watches the objects of one kind, and leads their reconciles: the frame that all kinds share.
import type { MirrorChange } from '#core/mirror/mirror-change.ts'
import type { Resource } from '#core/platform/kubernetes/kube-object.ts'
import type { ShownObject } from '../resource/shown-status.ts'
import type { Indexes, ObjectStore } from '../runtime/object-store.ts'
import { type Outcome, startReconciler } from '../runtime/reconciler.ts'
import { type Change, startReflector } from '../runtime/reflector.ts'
import { newWorkQueue } from '../runtime/work-queue.ts'
import type { KindContext } from './kind-context.ts'
import type { Leadership, LeadingKind, OperatorContext, SweepReport, WatchedKind } from './kind.ts'
import { newLossGuard } from './loss-guard.ts'
import { newPendingChanges, type PendingChanges } from './pending-changes.ts'
import type { Sweep } from './finish-sweep.ts'
import { newVanishedObjects } from './vanished-objects.ts'

export interface KindFrame<T extends ShownObject, Context extends KindContext<T>> {
  /** Name in metrics and logs. */
  name: string
  resource: Resource
  /** Where the objects are. */
  namespace: string
  /** Reconciles at once. */
  concurrency: number
  indexes: Indexes<T>
  newContext: (shared: KindContext<T>) => Context
  newReconcile: (context: Context, pending: PendingChanges) => (key: string) => Promise<Outcome>
  /** The key of the object that shows the row, or is to show it. */
  keyOfRow: (context: Context, change: MirrorChange) => string
  /** Keys of other objects that the change concerns. */
  affectedBy?: (context: Context, change: MirrorChange) => string[]
  /** The object with this uid has gone. */
  forget?: (context: Context, uid: string) => void
  sweep: (sweep: Sweep<T, Context>) => Promise<SweepReport>
}

interface LeadingObjects<T> extends LeadingKind {
  objectChanged: (change: Change<T>) => void
}

const BY_ORIGIN = 'origin'

/** Starts to watch. Disposing ends the watch, not a leadership. */
export function watchKind<T extends ShownObject, Context extends KindContext<T>>(
  operator: OperatorContext,
  frame: KindFrame<T, Context>,
): WatchedKind {
  let leading: LeadingObjects<T> | undefined
  const reflector = startReflector<T>({
    kube: operator.kube,
    resource: frame.resource,
    namespace: frame.namespace,
    indexes: { ...frame.indexes, [BY_ORIGIN]: ({ spec }) => [spec.origin ?? 'Kubernetes'] },
    onChange: (change) => leading?.objectChanged(change),
    clock: operator.clock,
    log: operator.log,
  })
  return {
    synced: reflector.synced,
    failure: () => reflector.failure(),
    lead(leadership) {
      leading = lead(operator, frame, leadership, reflector.store)
      return leading
    },
    [Symbol.asyncDispose]: () => reflector[Symbol.asyncDispose](),
  }
}

function lead<T extends ShownObject, Context extends KindContext<T>>(
  operator: OperatorContext,
  frame: KindFrame<T, Context>,
  leadership: Leadership,
  store: ObjectStore<T>,
): LeadingObjects<T> {
  const { clock, log } = operator
  const { name, concurrency } = frame
  const { mirrorMax } = operator.core.settings
  const guard = newLossGuard(operator.namespace, clock)
  const pending = newPendingChanges()
  const queue = newWorkQueue(name, clock)
  const context = frame.newContext({
    ...operator,
    namespace: frame.namespace,
    leadership,
    store,
    vanished: newVanishedObjects(),
    outdated: new Set(),
    holdsDeletions: guard.holds,
    hasRoom: () => store.by(BY_ORIGIN, 'API').length < mirrorMax,
  })
  const reconcile = frame.newReconcile(context, pending)
  const reconciler = startReconciler({ name, concurrency, queue, reconcile, signal: leadership.signal, clock, log })
  return {
    objectChanged({ key, before, now, relisted }) {
      if (before && before.metadata.uid !== now?.metadata.uid) noteGone(context, frame, key, before)
      queue.add(key, relisted ? 'resync' : 'live')
    },
    changed(change) {
      if (!pending.isNew(change)) return
      const key = frame.keyOfRow(context, change)
      pending.add(key, change)
      queue.add(key)
      for (const affected of frame.affectedBy?.(context, change) ?? []) queue.add(affected)
    },
    sweep: () => frame.sweep({ context, queue, guard, mirrorMax }),
    oldestMs: () => reconciler.oldestMs(),
    async [Symbol.asyncDispose]() {
      await reconciler[Symbol.asyncDispose]()
      queue[Symbol.dispose]()
    },
  }
}

function noteGone<T extends ShownObject, Context extends KindContext<T>>(
  context: Context,
  { forget }: KindFrame<T, Context>,
  key: string,
  { metadata: { uid }, spec }: T,
): void {
  forget?.(context, uid)
  if (spec.origin !== 'API') context.vanished.add(key, uid)
}
