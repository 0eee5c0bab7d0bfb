// The kind WebhookSubscription for the operator: what is watched, and how changes of objects and rows become keys.
import type { MirrorChange } from '#core/mirror/mirror-change.ts'
import type { Leadership, LeadingKind, MirroredKind, OperatorContext, WatchedKind } from '../projection/kind.ts'
import { newLossGuard } from '../projection/loss-guard.ts'
import { newPendingChanges } from '../projection/pending-changes.ts'
import { newReconcile } from '../projection/reconcile-object.ts'
import { newVanishedObjects } from '../projection/vanished-objects.ts'
import type { ObjectStore } from '../runtime/object-store.ts'
import { startReconciler } from '../runtime/reconciler.ts'
import { type Change, startReflector } from '../runtime/reflector.ts'
import { newWorkQueue } from '../runtime/work-queue.ts'
import type { WebhookContext } from './context.ts'
import { webhookSteps } from './reconcile.ts'
import { WEBHOOK_SUBSCRIPTION_KIND, WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from './resource.ts'
import { projectedName } from './snapshot.ts'
import { keyOf, sweep } from './sweep.ts'

const NAME = 'webhooksubscription'
/** More at once only make the API server slower. */
const CONCURRENCY = 4
const BY_SUBSCRIPTION = 'subscription'
const BY_ORIGIN = 'origin'
const BY_UID = 'uid'

export const WEBHOOK_KIND: MirroredKind = { definition: WEBHOOK_SUBSCRIPTION_KIND, change: 'WEBHOOK', watch }

interface LeadingWebhooks extends LeadingKind {
  objectChanged: (change: Change<WebhookSubscription>) => void
}

function watch(context: OperatorContext): WatchedKind {
  let leading: LeadingWebhooks | undefined
  const reflector = startReflector<WebhookSubscription>({
    kube: context.kube,
    resource: WEBHOOK_SUBSCRIPTIONS,
    namespace: context.namespace,
    indexes: {
      [BY_SUBSCRIPTION]: ({ status }) => (status?.subscriptionId ? [status.subscriptionId] : []),
      [BY_ORIGIN]: ({ spec }) => [spec.origin ?? 'Kubernetes'],
      [BY_UID]: ({ metadata, spec }) => (spec.origin === 'API' ? [] : [metadata.uid ?? '']),
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

function lead(operator: OperatorContext, leadership: Leadership, store: ObjectStore<WebhookSubscription>): LeadingWebhooks {
  const { clock, log, core, namespace } = operator
  const { mirrorMax } = core.settings
  const guard = newLossGuard(namespace, clock)
  const pending = newPendingChanges()
  const queue = newWorkQueue(NAME, clock)
  const context: WebhookContext = {
    ...operator,
    leadership,
    store,
    vanished: newVanishedObjects(),
    outdated: new Set(),
    secretsCheckedAt: new Map(),
    holdsDeletions: guard.holds,
    hasRoom: () => store.by(BY_ORIGIN, 'API').length < mirrorMax,
  }
  const reconciler = startReconciler({
    name: NAME,
    concurrency: CONCURRENCY,
    queue,
    reconcile: newReconcile(context, pending, webhookSteps(context)),
    signal: leadership.signal,
    clock,
    log,
  })
  return {
    objectChanged({ key, before, now, relisted }) {
      if (before && before.metadata.uid !== now?.metadata.uid) noteGone(context, key, before)
      queue.add(key, relisted ? 'resync' : 'live')
    },
    changed(change) {
      if (!pending.isNew(change)) return
      const key = keyOfRow(context, change)
      pending.add(key, change)
      queue.add(key)
    },
    sweep: () => sweep(context, queue, guard, mirrorMax),
    oldestMs: () => reconciler.oldestMs(),
    async [Symbol.asyncDispose]() {
      await reconciler[Symbol.asyncDispose]()
      queue[Symbol.dispose]()
    },
  }
}

function noteGone(context: WebhookContext, key: string, { metadata: { uid = '' }, spec }: WebhookSubscription): void {
  context.secretsCheckedAt.delete(uid)
  if (spec.origin !== 'API') context.vanished.add(key, uid)
}

/** An object that shows the row, or the one that is to show it; by its uid one that has no row yet. A row born in Kubernetes that no object shows yet is shown by
 *  the reconcile that made it. */
function keyOfRow(context: WebhookContext, { id }: MirrorChange): string {
  const [object] = [...context.store.by(BY_SUBSCRIPTION, id), ...context.store.by(BY_UID, id)]
  return object ? keyOf(context, object.metadata) : `${context.namespace}/${projectedName(id)}`
}
