// The kind SigningKey for the operator: what is watched, and how changes of objects and rows become keys.
import type { MirrorChange } from '#core/mirror/mirror-change.ts'
import type { Leadership, LeadingKind, MirroredKind, OperatorContext, WatchedKind } from '../projection/kind.ts'
import { newLossGuard } from '../projection/loss-guard.ts'
import { newPendingChanges } from '../projection/pending-changes.ts'
import { newReconcile } from '../projection/reconcile-object.ts'
import { newVanishedObjects } from '../projection/vanished-objects.ts'
import { conditionOf } from '../resource/event-rules.ts'
import type { ObjectStore } from '../runtime/object-store.ts'
import { startReconciler } from '../runtime/reconciler.ts'
import { type Change, startReflector } from '../runtime/reflector.ts'
import { keyOf } from '../runtime/stored-object.ts'
import { newWorkQueue } from '../runtime/work-queue.ts'
import type { KeyContext } from './context.ts'
import { keySteps } from './reconcile.ts'
import { INSTALLATION_KEY_NAME, SIGNING_KEY_KIND, SIGNING_KEYS, type SigningKeyObject } from './resource.ts'
import { projectedName } from './snapshot.ts'
import { sweep } from './sweep.ts'

const NAME = 'signingkey'
/** Generating and announcing keys is rare. */
const CONCURRENCY = 2
const BY_KEY = 'key'
const BY_SCOPE = 'scope'
const BY_ORIGIN = 'origin'

export const SIGNING_KEY_MIRROR: MirroredKind = { definition: SIGNING_KEY_KIND, change: 'SIGNING_KEY', watch }

interface LeadingKeys extends LeadingKind {
  objectChanged: (change: Change<SigningKeyObject>) => void
}

function watch(context: OperatorContext): WatchedKind {
  let leading: LeadingKeys | undefined
  const reflector = startReflector<SigningKeyObject>({
    kube: context.kube,
    resource: SIGNING_KEYS,
    namespace: context.keysNamespace,
    indexes: {
      [BY_KEY]: ({ status }) => (status?.keyId ? [status.keyId] : []),
      [BY_SCOPE]: ({ spec }) => [scopeOf(spec.orgId)],
      [BY_ORIGIN]: ({ spec }) => [spec.origin ?? 'Kubernetes'],
    },
    onChange: (change) => leading?.objectChanged(change),
    clock: context.clock,
    log: context.log,
  })
  return {
    synced: reflector.synced,
    failure: () => reflector.failure(),
    lead(leadership) {
      leading = lead(context, leadership, reflector.store)
      return leading
    },
    [Symbol.asyncDispose]: () => reflector[Symbol.asyncDispose](),
  }
}

function lead(operator: OperatorContext, leadership: Leadership, store: ObjectStore<SigningKeyObject>): LeadingKeys {
  const { clock, log, core, keysNamespace } = operator
  const { mirrorMax } = core.settings
  const guard = newLossGuard(operator.namespace, clock)
  const pending = newPendingChanges()
  const queue = newWorkQueue(NAME, clock)
  const context: KeyContext = {
    ...operator,
    namespace: keysNamespace,
    leadership,
    store,
    vanished: newVanishedObjects(),
    outdated: new Set(),
    holdsDeletions: guard.holds,
    hasRoom: () => store.by(BY_ORIGIN, 'API').length < mirrorMax,
  }
  const reconciler = startReconciler({
    name: NAME,
    concurrency: CONCURRENCY,
    queue,
    reconcile: newReconcile(context, pending, keySteps(context)),
    signal: leadership.signal,
    clock,
    log,
  })
  return {
    objectChanged({ key, before, now, relisted }) {
      const { uid = '' } = before?.metadata ?? {}
      if (before && uid !== now?.metadata.uid && before.spec.origin !== 'API') context.vanished.add(key, uid)
      queue.add(key, relisted ? 'resync' : 'live')
    },
    changed(change) {
      if (!pending.isNew(change)) return
      const key = keyOfRow(context, change)
      pending.add(key, change)
      queue.add(key)
      for (const affected of affectedBy(context, change)) queue.add(affected)
    },
    sweep: () => sweep(context, queue, guard, mirrorMax),
    oldestMs: () => reconciler.oldestMs(),
    async [Symbol.asyncDispose]() {
      await reconciler[Symbol.asyncDispose]()
      queue[Symbol.dispose]()
    },
  }
}

function scopeOf(orgId: string | null | undefined): string {
  return orgId?.toLowerCase() ?? ''
}

/** An object that shows the row, or the one that is to show it. A row born in Kubernetes that no object shows yet is shown by the reconcile that made it. */
function keyOfRow({ store, namespace }: KeyContext, { id, orgId }: MirrorChange): string {
  const [object] = store.by(BY_KEY, id)
  return object ? keyOf(object) : `${namespace}/${projectedName({ id, orgId })}`
}

/** Objects that another key of the same documents kept from sealing, and the installation's own key, which seals where no other does. */
function affectedBy({ store, namespace }: KeyContext, { orgId }: MirrorChange): string[] {
  const refused = store.by(BY_SCOPE, scopeOf(orgId)).filter(isKept)
  return [...refused.map(keyOf), ...(orgId === null ? [`${namespace}/${INSTALLATION_KEY_NAME}`] : [])]
}

function isKept({ status = {} }: SigningKeyObject): boolean {
  return conditionOf(status, 'Accepted')?.reason === 'AnotherKeyActive'
}
