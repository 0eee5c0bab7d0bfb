// Writes the object that shows a key managed in Postgres.
import { applyObject } from '../runtime/object-calls.ts'
import { toStored } from '../runtime/stored-object.ts'
import { patchObject, PROJECTION_MANAGER } from '../projection/object-writes.ts'
import type { KeyContext } from './context.ts'
import type { Effect } from './effect.ts'
import type { KubeMetadata } from '#core/platform/kubernetes/kube-object.ts'
import type { NewObject } from '../resource/custom-object.ts'
import { SIGNING_KEYS, type SigningKeyObject, type SigningKeySpec } from './resource.ts'
import { KEY_LABEL, ORG_LABEL, type Snapshot } from './snapshot.ts'

/** The object as stored. Undone changes of a user are reported. */
export async function projectObject(
  context: KeyContext,
  { namespace, name }: Snapshot,
  { keyId, fields, resourceVersion, reverted }: Extract<Effect, { do: 'apply-object' }>,
): Promise<SigningKeyObject> {
  const { orgId, state, compromisedSince } = fields
  const labels = { [KEY_LABEL]: keyId, ...(orgId !== null && { [ORG_LABEL]: orgId }) }
  if (resourceVersion === undefined) {
    const spec: SigningKeySpec = {
      origin: 'API',
      provider: { type: 'Installation' },
      state,
      ...(orgId !== null && { orgId }),
      ...(compromisedSince !== null && { compromisedSince }),
    }
    return create(context, { namespace, name, labels }, spec)
  }
  // Not an apply: that would leave a field that a user has added.
  const change = { metadata: { labels }, spec: { state, compromisedSince } }
  const place = { namespace, name, resourceVersion }
  const stored = await patchObject<SigningKeyObject>(context, SIGNING_KEYS, place, change, PROJECTION_MANAGER)
  if (reverted.length > 0) {
    const note = `The change of ${reverted.join(', ')} was undone: this key was created outside Kubernetes, and is changed with "sealwright key".`
    context.events.record({ regarding: stored, type: 'Warning', reason: 'ChangeReverted', action: 'Revert', note })
  }
  return stored
}

async function create({ kube, leadership }: KeyContext, metadata: KubeMetadata, spec: SigningKeySpec): Promise<SigningKeyObject> {
  const { group, version, kind } = SIGNING_KEYS
  const object: NewObject<SigningKeyObject> = { apiVersion: `${group}/${version}`, kind, metadata, spec }
  const options = { manager: PROJECTION_MANAGER, force: true, signal: leadership.signal } as const
  return toStored(await applyObject<SigningKeyObject>(kube, SIGNING_KEYS, object, options))
}
