// Plans for an object created in the panel: the row decides its configuration, the user of kubectl its three command fields. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { findRollback, type Rollback } from '../projection/rollback.ts'
import { RESOLVE } from '../resource/annotations.ts'
import { type Identity, identityOf } from '../resource/identity.ts'
import { differingFields, hasRecordedCommands, newCommands } from './differences.ts'
import type { Effect, Plan } from './effect.ts'
import { fieldsOfRow, recordedCommands } from './parts.ts'
import type { WebhookSubscription } from './resource.ts'
import { NOUN, PROJECTED_NAME, type Snapshot } from './snapshot.ts'

export function planProjected(snapshot: Snapshot): Plan {
  const { object, row, hasRoom } = snapshot
  if (object && row) return planBoth(snapshot, object, row)
  if (object) return planWithoutRow(snapshot, identityOf(object))
  return { effects: row && hasRoom ? [applyObject(row)] : [] }
}

function planBoth(snapshot: Snapshot, object: WebhookSubscription, row: MirroredWebhook): Plan {
  const identity = identityOf(object)
  // Deleted by hand: it comes back when it is gone.
  if (identity.isTerminating) return { effects: [] }
  if (object.spec.orgId !== row.orgId) return { effects: [], mismatch: { reason: 'Conflict', message: WRONG_ORGANISATION } }
  const rollback = findRollback(object, row, NOUN)
  if (rollback && !rollback.resolve) return { effects: [], mismatch: rollback.mismatch }
  const facts: Facts = { snapshot, object, row, rollback, identity }
  for (const step of [resolveFromRow, restoreSuspension, restoreFields, applyNewCommands, endResolve]) {
    const effect = step(facts)
    if (effect) return { effects: [effect] }
  }
  return { effects: [] }
}

const WRONG_ORGANISATION =
  'The subscription of this name belongs to another organisation than spec.orgId. Delete this object; it is created again from the database.'

interface Facts {
  snapshot: Snapshot
  object: WebhookSubscription
  row: MirroredWebhook
  rollback: Rollback | undefined
  identity: Identity
}

type Step = (facts: Facts) => Effect | undefined

const resolveFromRow: Step = ({ object, row, rollback, identity }) =>
  rollback?.resolve === 'from-row' && !hasRecordedCommands(object, row) ? writeCommands(row, identity) : undefined

/** Created again after a deletion by hand, which was no command to resume deliveries. */
const restoreSuspension: Step = ({ object, row, identity }) => {
  const isAnother = row.object !== null && row.object.uid !== identity.uid
  return isAnother && row.suspended && object.spec.suspend === undefined ? writeCommands(row, identity) : undefined
}

/** An edit by a user, unless the row has changed since the object last showed it. */
const restoreFields: Step = ({ object, row, identity }) => {
  const differing = differingFields(object, row)
  if (differing.length === 0) return undefined
  const reverted = object.status?.rowVersion === row.version ? differing : []
  return { ...applyObject(row), resourceVersion: identity.resourceVersion, reverted }
}

const applyNewCommands: Step = ({ snapshot, object, row, rollback, identity }) => {
  const commands = newCommands(object, row, snapshot.isApplied)
  const isRecorded = row.object?.uid === identity.uid && !rollback?.isObjectOld
  return commands || !isRecorded ? { do: 'apply-commands', id: row.id, suspend: row.suspended, ...commands } : undefined
}

const endResolve: Step = ({ rollback, identity: { annotations, resourceVersion } }) =>
  annotations[RESOLVE] !== undefined && !rollback ? { do: 'remove-annotation', annotation: RESOLVE, resourceVersion } : undefined

function writeCommands(row: MirroredWebhook, { resourceVersion }: Identity): Effect {
  return { do: 'write-spec', commands: recordedCommands(row), resourceVersion }
}

function applyObject(row: MirroredWebhook): Extract<Effect, { do: 'apply-object' }> {
  return { do: 'apply-object', subscriptionId: row.id, fields: fieldsOfRow(row), reverted: [] }
}

/** The row was deleted. An object that this service did not make stays. */
function planWithoutRow({ holdsDeletions, name }: Snapshot, { uid, resourceVersion, isTerminating }: Identity): Plan {
  if (PROJECTED_NAME.test(name)) {
    return { effects: holdsDeletions || isTerminating ? [] : [{ do: 'delete-object', uid, resourceVersion }] }
  }
  const message =
    'Only Sealwright creates objects with origin API. Delete this object, and create it again without spec.origin to manage the webhook from here.'
  return { effects: [], mismatch: { reason: 'Conflict', message } }
}
