// Plans for an object managed in Kubernetes: the object decides everything, the row follows. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { findRollback, type Rollback } from '../projection/rollback.ts'
import { ADOPT, RESOLVE } from '../resource/annotations.ts'
import { type Identity, identityOf } from '../resource/identity.ts'
import { differingFields, hasRecordedCommands, newCommands } from './differences.ts'
import type { Effect, Plan } from './effect.ts'
import { fieldsOfRow, recordedCommands } from './parts.ts'
import { WEBHOOK_FINALIZER, type WebhookSubscription } from './resource.ts'
import { NOUN, type Snapshot } from './snapshot.ts'
import { secretRefusal } from './referenced-secret.ts'

interface Facts {
  snapshot: Snapshot
  object: WebhookSubscription
  identity: Identity
  row: MirroredWebhook | undefined
  rollback: Rollback | undefined
}

/** Undefined: the next step decides. */
type Step = (facts: Facts) => Plan | undefined

export function planManaged(snapshot: Snapshot): Plan {
  const { object, row, takenOver } = snapshot
  if (!object) return { effects: [] }
  const facts = {
    snapshot,
    object,
    identity: identityOf(object),
    row,
    rollback: findRollback(object, row, NOUN, takenOver !== undefined),
  }
  for (const step of [
    finalize,
    ensureFinalizer,
    adoptRow,
    stopAtRollback,
    resolveFromRow,
    requestSecret,
    awaitFirstSecret,
    stopAtRefusal,
    changeRow,
    awaitSecret,
    applyNewCommands,
    publishSecret,
  ]) {
    const planned = step(facts)
    if (planned) return planned
  }
  return removeHandledAnnotations(facts)
}

/** The finalizer goes last, so that a crash before it repeats the deletion. */
const finalize: Step = ({ snapshot, object, identity: { isTerminating, uid, resourceVersion, finalizers }, row }) => {
  if (!isTerminating) return undefined
  if (!finalizers.includes(WEBHOOK_FINALIZER)) return { effects: [] }
  const release: Effect = { do: 'release-finalizer', resourceVersion }
  // What was read for it goes too.
  if (!row && !object.spec.secretRef) return { effects: [release] }
  if (!snapshot.isKindDeleted) return { effects: [{ do: 'delete-row', uid }, release] }
  // The removal of the definition deletes all its objects; their owners did not ask for that.
  return { effects: !row || row.orphanedAt ? [release] : [{ do: 'mark-orphaned', uids: [uid] }, release] }
}

const ensureFinalizer: Step = ({ identity: { finalizers, resourceVersion } }) =>
  finalizers.includes(WEBHOOK_FINALIZER) ? undefined : { effects: [{ do: 'add-finalizer', resourceVersion }] }

/** Nothing else happens to the object before that: a row of its own would get the same events. */
const adoptRow: Step = ({ snapshot, identity, row }) => {
  const id = identity.annotations[ADOPT]
  if (id === undefined || id === row?.id) return undefined
  if (snapshot.adoptionRefusal === undefined) return { effects: [{ do: 'adopt', id }] }
  const message = `The subscription ${id} cannot be adopted. ${snapshot.adoptionRefusal} Remove or correct the annotation ${ADOPT}.`
  return { effects: [], mismatch: { reason: 'Conflict', message } }
}

const stopAtRollback: Step = ({ row, rollback }) => {
  if (!rollback) return undefined
  const isDecided = rollback.resolve === 'from-object' || (rollback.resolve === 'from-row' && row !== undefined)
  return isDecided ? undefined : { effects: [], mismatch: rollback.mismatch }
}

/** The user chose the row: its values are written into the object, once. */
const resolveFromRow: Step = ({ object, identity, row, rollback }) => {
  if (rollback?.resolve !== 'from-row' || !row) return undefined
  if (differingFields(object, row).length === 0 && hasRecordedCommands(object, row)) return undefined
  const { resourceVersion } = identity
  return { effects: [{ do: 'write-spec', commands: recordedCommands(row), fields: fieldsOfRow(row), resourceVersion }] }
}

const requestSecret: Step = ({ snapshot: { referencedSecret } }) =>
  referencedSecret.kind === 'NOT_REQUESTED'
    ? { effects: [{ do: 'request-secret', reference: referencedSecret.reference }] }
    : undefined

/** Without its secret it would get events that its receiver cannot check. */
const awaitFirstSecret: Step = (facts) => (facts.row ? undefined : awaitSecret(facts))

const stopAtRefusal: Step = ({ snapshot, object, row }) => {
  const refusal = secretRefusal(object, snapshot.referencedSecret) ?? snapshot.refusal
  return refusal && { effects: row ? planSecrets(snapshot, object, row) : [], refusal }
}

const changeRow: Step = ({ snapshot: { referencedSecret }, object, identity, row }) => {
  const hasNewSecret = referencedSecret.kind === 'READ' && !referencedSecret.isGiven
  const isRecorded = row?.object?.generation === identity.generation && !row.orphanedAt
  const isSame = row !== undefined && isRecorded && differingFields(object, row).length === 0
  return isSame && !hasNewSecret ? undefined : { effects: [{ do: 'apply-managed' }] }
}

/** A request for a rotation is carried out when the Secret has been read again. */
const awaitSecret: Step = ({ snapshot: { referencedSecret } }) =>
  referencedSecret.kind === 'WAITING' ? { effects: [], waitMs: referencedSecret.forMs } : undefined

const applyNewCommands: Step = ({ snapshot, object, row }) => {
  const commands = row && newCommands(object, row, snapshot.isApplied)
  return row && commands && { effects: [{ do: 'apply-commands', id: row.id, ...commands }] }
}

const publishSecret: Step = ({ snapshot, object, row }) => {
  const effects = row ? planSecrets(snapshot, object, row) : []
  return effects.length > 0 ? { effects } : undefined
}

/** First the Secret with the secrets in use, then the status that names it, then the earlier ones go. A given secret has none. */
function planSecrets({ isSecretGone }: Snapshot, { status }: WebhookSubscription, { id, secret }: MirroredWebhook): Effect[] {
  const { objectName, created } = secret
  const isCreated = created.some(({ name, uid }) => name === objectName && uid !== null)
  if (objectName !== null && (isSecretGone || !isCreated)) return [{ do: 'create-secret', id }]
  if ((status?.secret?.secretName ?? null) !== objectName) return []
  return created.flatMap(({ name, uid }) => (name === objectName ? [] : [{ do: 'delete-secret', name, uid }]))
}

/** What they decided is done. */
function removeHandledAnnotations({ identity: { annotations, resourceVersion }, rollback }: Facts): Plan {
  const annotation = [ADOPT, ...(rollback ? [] : [RESOLVE])].find((name) => annotations[name] !== undefined)
  return { effects: annotation === undefined ? [] : [{ do: 'remove-annotation', annotation, resourceVersion }] }
}
