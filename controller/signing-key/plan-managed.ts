// Plans for an object managed in Kubernetes: the object decides everything, the row follows. Pure.
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import { findRollback, type Rollback } from '../projection/rollback.ts'
import { RESOLVE } from '../resource/annotations.ts'
import { type Identity, identityOf } from '../resource/identity.ts'
import type { Effect, Plan } from './effect.ts'
import { fieldsOfRow, isSameMaterial, pkcs12Material, desiredState } from './parts.ts'
import { planDeletion } from './plan-deletion.ts'
import { planVersion } from './plan-version.ts'
import { SIGNING_KEY_FINALIZER, type SigningKeyObject } from './resource.ts'
import { NOUN, rowState, type Snapshot } from './snapshot.ts'
import { unusedMaterial } from './unused-material.ts'

interface Facts {
  snapshot: Snapshot
  object: SigningKeyObject
  identity: Identity
  row: SigningKeyView | undefined
  rollback: Rollback | undefined
}

/** Undefined: the next step decides. */
type Step = (facts: Facts) => Plan | undefined

export function planManaged(snapshot: Snapshot): Plan {
  const { object, row } = snapshot
  if (!object) return { effects: [] }
  const rollback = findRollback(object, row && rowState(row), NOUN)
  const facts: Facts = { snapshot, object, identity: identityOf(object), row, rollback }
  for (const step of [
    finalize,
    ensureFinalizer,
    stopAtRollback,
    resolveFromRow,
    changeRow,
    stopAtRefusal,
    deleteUnused,
    endResolve,
  ]) {
    const planned = step(facts)
    if (planned) return planned
  }
  const { refusal } = snapshot
  return { ...(row ? planVersion(snapshot, object, row) : { effects: [] }), refusal }
}

const finalize: Step = ({ snapshot, object, identity, row }) =>
  identity.isTerminating ? planDeletion(snapshot, object, identity, row) : undefined

const ensureFinalizer: Step = ({ identity: { finalizers, resourceVersion } }) =>
  finalizers.includes(SIGNING_KEY_FINALIZER) ? undefined : { effects: [{ do: 'add-finalizer', resourceVersion }] }

const stopAtRollback: Step = ({ row, rollback }) => {
  if (!rollback) return undefined
  const isDecided = rollback.resolve === 'from-object' || (rollback.resolve === 'from-row' && row !== undefined)
  return isDecided ? undefined : { effects: [], mismatch: rollback.mismatch }
}

/** The user chose the row: its values are written into the object, once. */
const resolveFromRow: Step = ({ snapshot, object, identity, row, rollback }) => {
  if (rollback?.resolve !== 'from-row' || !row) return undefined
  const spec = recordedSpec(snapshot, object, row)
  return spec && { effects: [{ do: 'write-spec', spec, resourceVersion: identity.resourceVersion }] }
}

/** Undefined when the object says the same. */
function recordedSpec(snapshot: Snapshot, object: SigningKeyObject, row: SigningKeyView): object | undefined {
  const { state, compromisedSince } = fieldsOfRow(row)
  const desired = desiredState(object, snapshot.namespace)
  const provider = recordedProvider(snapshot, object, row)
  const request = row.handledRequest
  const isSame = desired.state === row.state && isSameTime(desired.compromisedSince, row.compromisedSince) && !provider
  if (isSame && (object.spec.rotation?.request ?? null) === request) return undefined
  return { state, compromisedSince, rotation: { request }, ...(provider && { provider }) }
}

/** The Secret that the row knows, when the object names another. */
function recordedProvider({ namespace }: Snapshot, object: SigningKeyObject, { versions: [newest] }: SigningKeyView) {
  const wanted = pkcs12Material(object, namespace)
  if (!wanted || newest?.material?.kind !== 'SECRET' || isSameMaterial(newest.material, wanted)) return undefined
  const { name, key, passwordKey } = newest.material
  return { pkcs12: { secretRef: { name, key, passwordKey } } }
}

/** A refused object is tried again at every reconcile, once: what it was refused for may be gone. */
const changeRow: Step = ({ snapshot, object, row }) =>
  snapshot.refusal || (row && hasRecorded(row, object, snapshot.namespace)) ? undefined : { effects: [{ do: 'apply-managed' }] }

function hasRecorded(row: SigningKeyView, object: SigningKeyObject, namespace: string): boolean {
  const { state, generation, compromisedSince } = desiredState(object, namespace)
  // Retired is final in both.
  const isSameState = row.state === state || row.state === 'RETIRED'
  return (
    isSameState &&
    row.object?.generation === generation &&
    row.orphanedAt === null &&
    isSameTime(compromisedSince, row.compromisedSince)
  )
}

function isSameTime(left: Date | null, right: Date | null): boolean {
  return left?.getTime() === right?.getTime()
}

/** A second Active key is kept as Standby, so that it can take over at once. Nothing else that is refused changes. */
const stopAtRefusal: Step = ({ snapshot: { refusal } }) =>
  refusal && refusal.reason !== 'AnotherKeyActive' ? { effects: [], refusal } : undefined

const deleteUnused: Step = ({ row }) => {
  const effects: Effect[] = row ? unusedMaterial(row) : []
  return effects.length > 0 ? { effects } : undefined
}

/** What it decided is done. */
const endResolve: Step = ({ identity: { annotations, resourceVersion }, rollback }) =>
  annotations[RESOLVE] !== undefined && !rollback
    ? { effects: [{ do: 'remove-annotation', annotation: RESOLVE, resourceVersion }] }
    : undefined
