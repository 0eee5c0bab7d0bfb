// The kind WebhookSubscription for the operator: what is watched, and which object a change of a row concerns.
import type { MirrorChange } from '#core/mirror/mirror-change.ts'
import type { MirroredKind } from '../projection/kind.ts'
import { newReconcile } from '../projection/reconcile-object.ts'
import { watchKind } from '../projection/watch-kind.ts'
import { keyOf } from '../runtime/stored-object.ts'
import type { WebhookContext } from './context.ts'
import { webhookSteps } from './reconcile.ts'
import { WEBHOOK_SUBSCRIPTION_KIND, WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from './resource.ts'
import { projectedName } from './snapshot.ts'
import { sweep } from './sweep.ts'

/** More at once only make the API server slower. */
const CONCURRENCY = 4
const BY_SUBSCRIPTION = 'subscription'
const BY_UID = 'uid'

export const WEBHOOK_KIND: MirroredKind = {
  definition: WEBHOOK_SUBSCRIPTION_KIND,
  change: 'WEBHOOK',
  watch: (operator) =>
    watchKind<WebhookSubscription, WebhookContext>(operator, {
      name: 'webhooksubscription',
      resource: WEBHOOK_SUBSCRIPTIONS,
      namespace: operator.namespace,
      concurrency: CONCURRENCY,
      indexes: {
        [BY_SUBSCRIPTION]: ({ status }) => (status?.subscriptionId ? [status.subscriptionId] : []),
        [BY_UID]: ({ metadata, spec }) => (spec.origin === 'API' ? [] : [metadata.uid]),
      },
      newContext: (shared) => ({ ...shared, secretsCheckedAt: new Map() }),
      newReconcile: (context, pending) => newReconcile(context, pending, webhookSteps(context)),
      keyOfRow,
      forget: ({ secretsCheckedAt }, uid) => void secretsCheckedAt.delete(uid),
      sweep,
    }),
}

/** An object that shows the row, or the one that is to show it; by its uid one that has no row yet. A row managed in Kubernetes that no object shows yet is shown by
 *  the reconcile that made it. */
function keyOfRow({ store, namespace }: WebhookContext, { id }: MirrorChange): string {
  const [object] = [...store.by(BY_SUBSCRIPTION, id), ...store.by(BY_UID, id)]
  return object ? keyOf(object) : `${namespace}/${projectedName(id)}`
}
