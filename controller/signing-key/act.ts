// Carries out the effects of a plan. Each is idempotent, and each write of an object has the version that the plan was made for as its precondition.
import { announceVersion } from '#core/signing-key/announce-version.ts'
import { deleteManagedKey, markOrphanedSigningKeys } from '#core/signing-key/delete-managed-key.ts'
import { rotateKey } from '#core/signing-key/rotate-key.ts'
import type { KeyMaterial } from '#core/signing-key/signing-key.ts'
import { upsertManagedKey } from '#core/signing-key/upsert-managed-key.ts'
import { noteStored } from '../projection/kind-context.ts'
import { changeFinalizer, patchObject } from '../projection/object-writes.ts'
import { deleteObject } from '../runtime/object-calls.ts'
import type { KeyContext, KeyProgress } from './context.ts'
import type { Effect } from './effect.ts'
import { createCertificate, deleteCertificate, deleteVersionMaterial, generateVersion } from './material.ts'
import { desiredState } from './parts.ts'
import { projectObject } from './project-object.ts'
import { SIGNING_KEY_FINALIZER, SIGNING_KEYS, type SigningKeyObject } from './resource.ts'
import type { Snapshot } from './snapshot.ts'

type Name = Effect['do']
type Of<N extends Name> = Extract<Effect, { do: N }>

interface Reconcile {
  context: KeyContext
  snapshot: Snapshot
  progress: KeyProgress
}

interface Call<N extends Name> extends Reconcile {
  effect: Of<N>
}

type Run<N extends Name> = (call: Call<N>) => Promise<void>

/** Throws KubeError (409: the object has changed), FencedError, and errors of the database. */
export async function act<N extends Name>(
  context: KeyContext,
  snapshot: Snapshot,
  effect: Of<N>,
  progress: KeyProgress,
): Promise<void> {
  const run: Run<N> = EFFECTS[effect.do]
  await run({ context, snapshot, effect, progress })
}

/** A write of the object itself, which returns it as stored; undefined: it is gone. */
function writing<N extends Name>(write: (call: Call<N>) => Promise<SigningKeyObject | undefined>): Run<N> {
  return async (call) => {
    await call.context.leadership.takeWrite()
    noteStored(call.progress, await write(call))
  }
}

function patch(
  { context, snapshot: { namespace, name }, effect: { resourceVersion } }: Reconcile & { effect: { resourceVersion: string } },
  change: { metadata?: object; spec?: object },
): Promise<SigningKeyObject> {
  return patchObject(context, SIGNING_KEYS, { namespace, name, resourceVersion }, change)
}

function setFinalizer(
  { context, snapshot, effect: { resourceVersion } }: Reconcile & { effect: { resourceVersion: string } },
  isWanted: boolean,
): Promise<SigningKeyObject | undefined> {
  const { namespace, name, object } = snapshot
  const metadata = { namespace, name, resourceVersion, finalizers: object?.metadata.finalizers ?? [] }
  return changeFinalizer(context, SIGNING_KEYS, metadata, SIGNING_KEY_FINALIZER, isWanted)
}

async function remove({ context, snapshot: { namespace, name }, effect }: Call<'delete-object'>): Promise<undefined> {
  const { uid, resourceVersion } = effect
  const { kube, leadership } = context
  await deleteObject(kube, SIGNING_KEYS, { namespace, name }, { uid, resourceVersion, signal: leadership.signal })
  return undefined
}

async function applyDesired({ context, snapshot, progress }: Call<'apply-managed'>): Promise<void> {
  const desired = desiredState(objectOf(snapshot), snapshot.namespace)
  const outcome = await upsert(context, desired)
  if (outcome.outcome === 'applied') return
  const { reason, message } = outcome
  progress.refusal = { reason, message }
  // Loaded and tried on standby, it can take over as soon as the other key goes.
  if (reason === 'AnotherKeyActive') await upsert(context, { ...desired, state: 'STANDBY' })
}

function upsert({ core, leadership }: KeyContext, desired: Parameters<typeof upsertManagedKey>[2]) {
  return upsertManagedKey(core, leadership.fence, desired, { allowSelfSigned: core.settings.allowSelfSignedKeys ?? false })
}

async function announce(
  { context, snapshot, effect: { request }, progress }: Reconcile & { effect: { request?: string | undefined } },
  material: KeyMaterial & { kind: 'SECRET' },
): Promise<void> {
  const announcement = { keyId: rowOf(snapshot).id, material, ...(request !== undefined && { request }) }
  await announceVersion(context.core, context.leadership.fence, announcement)
  if (request !== undefined) progress.announcedRequest = request
}

async function issue({ context, snapshot, effect, progress }: Call<'create-certificate'>): Promise<void> {
  const refusal = await createCertificate(context, objectOf(snapshot), effect.version)
  if (refusal !== undefined) progress.certificateRefusal = refusal
}

async function rotate({ context, effect: { id, request }, progress }: Call<'rotate'>): Promise<void> {
  await rotateKey(context.core, { id, request, fence: context.leadership.fence })
  progress.announcedRequest = request
}

function objectOf({ object, name }: Snapshot): SigningKeyObject {
  if (!object) throw new Error(`The plan of ${name} needs an object.`)
  return object
}

function rowOf({ row, name }: Snapshot): NonNullable<Snapshot['row']> {
  if (!row) throw new Error(`The plan of ${name} needs a row.`)
  return row
}

const EFFECTS: { [N in Name]: Run<N> } = {
  'apply-object': writing(({ context, snapshot, effect }) => projectObject(context, snapshot, effect)),
  'delete-object': writing(remove),
  'write-spec': writing((call) => patch(call, { spec: call.effect.spec })),
  'remove-annotation': writing((call) => patch(call, { metadata: { annotations: { [call.effect.annotation]: null } } })),
  'add-finalizer': writing((call) => setFinalizer(call, true)),
  'release-finalizer': writing((call) => setFinalizer(call, false)),
  'apply-managed': applyDesired,
  announce: (call) => announce(call, call.effect.material),
  generate: async (call) => announce(call, await generateVersion(call.context, objectOf(call.snapshot), call.effect.version)),
  'create-certificate': issue,
  'delete-certificate': ({ context, snapshot, effect }) => deleteCertificate(context, objectOf(snapshot), effect.version),
  rotate,
  'delete-material': ({ context, snapshot, effect }) => deleteVersionMaterial(context, rowOf(snapshot), effect),
  'retire-row': async ({ context, snapshot }) =>
    void (await upsert(context, { ...desiredState(objectOf(snapshot), snapshot.namespace), state: 'RETIRED' })),
  'delete-row': ({ context, effect }) => deleteManagedKey(context.core, context.leadership.fence, effect.uid),
  'mark-orphaned': async ({ context, effect }) =>
    void (await markOrphanedSigningKeys(context.core, context.leadership.fence, effect.uids)),
}
