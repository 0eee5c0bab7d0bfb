// The kind SigningKey for the operator: what is watched, and which objects a change of a row concerns.
import type { MirrorChange } from '#core/mirror/mirror-change.ts'
import type { MirroredKind } from '../projection/kind.ts'
import { newReconcile } from '../projection/reconcile-object.ts'
import { watchKind } from '../projection/watch-kind.ts'
import { conditionOf } from '../resource/event-rules.ts'
import { keyOf } from '../runtime/stored-object.ts'
import type { KeyContext } from './context.ts'
import { keySteps } from './reconcile.ts'
import { INSTALLATION_KEY_NAME, SIGNING_KEY_KIND, SIGNING_KEYS, type SigningKeyObject } from './resource.ts'
import { projectedName } from './snapshot.ts'
import { sweep } from './sweep.ts'

/** Generating and announcing keys is rare. */
const CONCURRENCY = 2
const BY_KEY = 'key'
const BY_SCOPE = 'scope'

export const SIGNING_KEY_MIRROR: MirroredKind = {
  definition: SIGNING_KEY_KIND,
  change: 'SIGNING_KEY',
  watch: (operator) =>
    watchKind<SigningKeyObject, KeyContext>(operator, {
      name: 'signingkey',
      resource: SIGNING_KEYS,
      namespace: operator.keysNamespace,
      concurrency: CONCURRENCY,
      indexes: {
        [BY_KEY]: ({ status }) => (status?.keyId ? [status.keyId] : []),
        [BY_SCOPE]: ({ spec }) => [scopeOf(spec.orgId)],
      },
      newContext: (shared) => shared,
      newReconcile: (context, pending) => newReconcile(context, pending, keySteps(context)),
      keyOfRow,
      affectedBy,
      sweep,
    }),
}

function scopeOf(orgId: string | null | undefined): string {
  return orgId?.toLowerCase() ?? ''
}

/** An object that shows the row, or the one that is to show it. A row managed in Kubernetes that no object shows yet is shown by the reconcile that made it. */
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
