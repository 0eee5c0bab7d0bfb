// Plans for an object managed in Postgres: the row decides it, the user of kubectl asks for rotations. Pure.
import { needsMaterial } from '#core/signing-key/replacing-command.ts'
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import { findRollback, type Rollback } from '../projection/rollback.ts'
import { RESOLVE } from '../resource/annotations.ts'
import { type Identity, identityOf } from '../resource/identity.ts'
import type { Effect, Plan } from './effect.ts'
import { dueVersion, openRequest } from './next-version.ts'
import { differingFields, fieldsOfRow } from './parts.ts'
import type { SigningKeyObject } from './resource.ts'
import { NOUN, projectedRow, rowState, type Snapshot } from './snapshot.ts'

interface Facts {
  snapshot: Snapshot
  object: SigningKeyObject
  row: SigningKeyView
  rollback: Rollback | undefined
  identity: Identity
}

/** Undefined: the next step decides. */
type Step = (facts: Facts) => Plan | undefined

export function planProjected(snapshot: Snapshot): Plan {
  const { object, row, hasRoom } = snapshot
  if (object && row) return planBoth(snapshot, object, row)
  if (object) return planWithoutRow(snapshot, identityOf(object))
  // A retired key whose object was deleted does not come back.
  return { effects: row && hasRoom && row.state !== 'RETIRED' ? [applyObject(row)] : [] }
}

function planBoth(snapshot: Snapshot, object: SigningKeyObject, row: SigningKeyView): Plan {
  const identity = identityOf(object)
  // Deleted by hand: it comes back when it is gone.
  if (identity.isTerminating) return { effects: [] }
  const rollback = findRollback(object, rowState(row), NOUN)
  const facts: Facts = { snapshot, object, row, rollback, identity }
  for (const step of [stopAtConflict, resolveFromRow, restoreFields, rotate, endResolve]) {
    const planned = step(facts)
    if (planned) return planned
  }
  return { effects: [] }
}

const stopAtConflict: Step = ({ object, row, rollback }) => {
  if ((object.spec.orgId?.toLowerCase() ?? null) !== row.orgId) {
    const message =
      'The signing key of this name belongs to another organisation than spec.orgId. Delete this object; it is created again from the database.'
    return { effects: [], mismatch: { reason: 'Conflict', message } }
  }
  return rollback && !rollback.resolve ? { effects: [], mismatch: rollback.mismatch } : undefined
}

/** The user chose the row: a request that the database does not know any more is not carried out. */
const resolveFromRow: Step = ({ object, row, rollback, identity }) => {
  if (rollback?.resolve !== 'from-row' || openRequest(object, row) === undefined) return undefined
  const { resourceVersion } = identity
  const rotation = row.handledRequest === null ? null : { request: row.handledRequest }
  return { effects: [{ do: 'write-spec', spec: { rotation }, resourceVersion }] }
}

/** An edit by a user, unless the row has changed since the object last showed it. */
const restoreFields: Step = ({ object, row, identity: { resourceVersion } }) => {
  const differing = differingFields(object, row)
  if (differing.length === 0) return undefined
  const reverted = object.status?.rowVersion === row.rowVersion ? differing : []
  return { effects: [{ ...applyObject(row), resourceVersion, reverted }] }
}

/** Only a key that this installation generated can be replaced by a generated one. */
const rotate: Step = ({ snapshot, object, row }) => {
  const { request } = dueVersion(object, row, snapshot) ?? {}
  if (request === undefined) return undefined
  if (row.active?.selfMade === true) return { effects: [{ do: 'rotate', id: row.id, request }] }
  return { effects: [], rotationRefusal: `The request "${request}" cannot be carried out. ${needsMaterial(row.orgId)}` }
}

const endResolve: Step = ({ rollback, identity: { annotations, resourceVersion } }) =>
  annotations[RESOLVE] !== undefined && !rollback
    ? { effects: [{ do: 'remove-annotation', annotation: RESOLVE, resourceVersion }] }
    : undefined

function applyObject(row: SigningKeyView): Extract<Effect, { do: 'apply-object' }> {
  return { do: 'apply-object', keyId: row.id, fields: fieldsOfRow(row), reverted: [] }
}

/** The row is not there. An object that this service did not make stays. */
function planWithoutRow({ holdsDeletions, name }: Snapshot, { uid, resourceVersion, isTerminating }: Identity): Plan {
  if (projectedRow(name))
    return { effects: holdsDeletions || isTerminating ? [] : [{ do: 'delete-object', uid, resourceVersion }] }
  const message =
    'Only Sealwright creates objects with origin API. Delete this object, and create it again without spec.origin to manage the key from here.'
  return { effects: [], mismatch: { reason: 'Conflict', message } }
}
