// Carries out the effects of a plan. Each is idempotent, and each write of an object has the version that the plan was made for as its precondition.
import { announceVersion } from '#core/signing-key/announce-version.ts'
import { deleteAuthoredKey, markOrphanedSigningKeys } from '#core/signing-key/delete-authored-key.ts'
import { rotateKey } from '#core/signing-key/rotate-key.ts'
import { upsertAuthoredKey } from '#core/signing-key/upsert-authored-key.ts'
import { noteStored } from '../projection/kind-context.ts'
import { changeFinalizer, patchObject } from '../projection/object-writes.ts'
import { deleteObject } from '../runtime/object-calls.ts'
import type { KeyContext, KeyProgress } from './context.ts'
import type { Effect } from './effect.ts'
import { createCertificate, deleteCertificate, deleteVersionMaterial, generateVersion } from './material.ts'
import { wishOf } from './parts.ts'
import { projectObject } from './project-object.ts'
import { SIGNING_KEY_FINALIZER, SIGNING_KEYS, type SigningKeyObject } from './resource.ts'
import type { Snapshot } from './snapshot.ts'

/** Throws KubeError (409: the object has changed), FencedError, and errors of the database. */
export async function act(context: KeyContext, snapshot: Snapshot, effect: Effect, progress: KeyProgress): Promise<void> {
  if (!isOfObject(effect)) return changeOther(context, snapshot, effect, progress)
  await context.leadership.takeWrite()
  noteStored(progress, await changeObject(context, snapshot, effect))
}

type ObjectEffect = Extract<
  Effect,
  { do: 'apply-object' | 'delete-object' | 'write-spec' | 'add-finalizer' | 'release-finalizer' | 'remove-annotation' }
>

const OF_OBJECT: readonly string[] = [
  'apply-object',
  'delete-object',
  'write-spec',
  'add-finalizer',
  'release-finalizer',
  'remove-annotation',
] satisfies ObjectEffect['do'][]

function isOfObject(effect: Effect): effect is ObjectEffect {
  return OF_OBJECT.includes(effect.do)
}

/** The object as stored; undefined when it is gone. */
async function changeObject(
  context: KeyContext,
  snapshot: Snapshot,
  effect: ObjectEffect,
): Promise<SigningKeyObject | undefined> {
  const { namespace, name, object } = snapshot
  const { signal } = context.leadership
  if (effect.do === 'apply-object') return projectObject(context, snapshot, effect)
  const { resourceVersion } = effect
  const patch = (change: { metadata?: object; spec?: object }) =>
    patchObject<SigningKeyObject>(context, SIGNING_KEYS, { namespace, name, resourceVersion }, change)
  switch (effect.do) {
    case 'delete-object':
      await deleteObject(context.kube, SIGNING_KEYS, { namespace, name }, { uid: effect.uid, resourceVersion, signal })
      return undefined
    case 'write-spec':
      return patch({ spec: effect.spec })
    case 'remove-annotation':
      return patch({ metadata: { annotations: { [effect.annotation]: null } } })
    case 'add-finalizer':
    case 'release-finalizer': {
      const metadata = { namespace, name, resourceVersion, finalizers: object?.metadata.finalizers ?? [] }
      return changeFinalizer(context, SIGNING_KEYS, metadata, SIGNING_KEY_FINALIZER, effect.do === 'add-finalizer')
    }
  }
}

async function changeOther(
  context: KeyContext,
  snapshot: Snapshot,
  effect: Exclude<Effect, ObjectEffect>,
  progress: KeyProgress,
): Promise<void> {
  const { core, leadership } = context
  const { fence } = leadership
  switch (effect.do) {
    case 'delete-row':
      return deleteAuthoredKey(core, fence, effect.uid)
    case 'mark-orphaned':
      return void (await markOrphanedSigningKeys(core, fence, effect.uids))
    case 'rotate':
      await rotateKey(core, { id: effect.id, request: effect.request, fence })
      progress.announcedRequest = effect.request
      return
    default:
      return changeAuthored(context, snapshot, effect, progress)
  }
}

/** Of an object born in Kubernetes. */
async function changeAuthored(
  context: KeyContext,
  snapshot: Snapshot,
  effect: Exclude<Effect, ObjectEffect | { do: 'delete-row' | 'mark-orphaned' | 'rotate' }>,
  progress: KeyProgress,
): Promise<void> {
  const { object, row } = snapshot
  if (!object) throw new Error(`The plan of ${snapshot.name} has ${effect.do} without an object.`)
  if (effect.do === 'apply-authored') return author(context, snapshot, object, progress)
  if (!row) throw new Error(`The plan of ${snapshot.name} has ${effect.do} without a row.`)
  switch (effect.do) {
    case 'retire-row':
      return void (await upsert(context, { ...wishOf(object, snapshot.namespace), state: 'RETIRED' }))
    case 'announce':
    case 'generate': {
      const material = effect.do === 'announce' ? effect.material : await generateVersion(context, object, effect.version)
      const { request } = effect
      await announceVersion(context.core, context.leadership.fence, {
        keyId: row.id,
        material,
        ...(request !== undefined && { request }),
      })
      if (request !== undefined) progress.announcedRequest = request
      return
    }
    case 'create-certificate': {
      const refusal = await createCertificate(context, object, effect.version)
      if (refusal !== undefined) progress.certificateRefusal = refusal
      return
    }
    case 'delete-certificate':
      return deleteCertificate(context, object, effect.version)
    case 'delete-material':
      return deleteVersionMaterial(context, row, effect)
  }
}

async function author(
  context: KeyContext,
  { namespace }: Snapshot,
  object: SigningKeyObject,
  progress: KeyProgress,
): Promise<void> {
  const wish = wishOf(object, namespace)
  const outcome = await upsert(context, wish)
  if (outcome.outcome === 'applied') return
  const { reason, message } = outcome
  progress.refusal = { reason, message }
  // Loaded and tried on standby, it can take over as soon as the other key goes.
  if (reason === 'AnotherKeyActive') await upsert(context, { ...wish, state: 'STANDBY' })
}

function upsert({ core, leadership }: KeyContext, wish: Parameters<typeof upsertAuthoredKey>[2]) {
  return upsertAuthoredKey(core, leadership.fence, wish, { allowSelfSigned: core.settings.allowSelfSignedKeys ?? false })
}
