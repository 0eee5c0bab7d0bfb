// Produces the sealed copy of every document of an envelope: seal, record, store. `finish-seal.ts` records that they are stored.
import { auditStatement } from '#core/audit/rules.ts'
import { findCompletion } from '#core/audit/store.ts'
import type { SystemCore } from '#core/context.ts'
import { sealedKey } from '#core/envelope/document/rules.ts'
import { type DocumentToSeal, listDocumentsToSeal, listPageInk } from '#core/envelope/document/store.ts'
import type { DocumentId, EnvelopeId, OrgId, SignerId } from '#core/ids.ts'
import { inSealStage } from './seal-stage.ts'
import { findSeals } from '#core/pdf/placement/seal-places.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { SharedBytes } from '#core/platform/threads/shared-memory.ts'
import type { AuditHead } from '#core/pades/audit-head.ts'
import type { HeldKey } from '#core/signing-key/loading/key-ring.ts'
import type { KeyChoice } from '#core/signing-key/rules.ts'
import type { SealingPool, SealRequest } from './sealing-pool.ts'
import { type Appearance, insertSealedDocument, listAppearances, listSealedDocuments, type SealedDocument } from './store.ts'

interface Envelope {
  orgId: OrgId
  envelopeId: EnvelopeId
}

interface Work {
  documents: DocumentToSeal[]
  /** Recorded by earlier runs. */
  recorded: SealedDocument[]
  seals: Appearance[]
  sealedAt: Date
  auditHead: AuditHead
  choice: KeyChoice
}

/** The threads, and the key that a run holds. */
interface Sealer {
  sealing: SealingPool
  key: HeldKey | undefined
}

export interface SealedEnvelope {
  documents: SealedDocument[]
  signerIds: SignerId[]
}

/** Space for the increment: far more than two signers need. */
const INCREMENT_BYTES = 128 * 1024

/** Resolves when the sealed copy of every document is recorded and stored, continuing an earlier run. */
export async function sealDocuments(
  core: SystemCore,
  sealing: SealingPool,
  lease: Envelope & { takenAt: Date },
): Promise<SealedEnvelope> {
  const work = await loadWork(core, sealing, lease)
  // One version of the key seals all documents of a run. What was sealed by an earlier run needs none.
  using key = work.documents.some(({ isRecorded }) => !isRecorded) ? await sealing.keys.acquire(work.choice) : undefined
  const documents: SealedDocument[] = []
  for (const document of work.documents) {
    const stored = work.recorded.find(({ documentId, increment }) => documentId === document.id && increment === null)
    documents.push(stored ?? (await sealOne(core, { sealing, key }, lease, work, document)))
  }
  return { documents, signerIds: work.seals.map(({ signerId }) => signerId) }
}

/** No transaction needed: signed data does not change, and each seal is recorded once. */
async function loadWork(
  { database, keys }: SystemCore,
  sealing: SealingPool,
  { orgId, envelopeId, takenAt }: Parameters<typeof sealDocuments>[2],
): Promise<Work> {
  const [documents, seals, auditHead, choice] = await Promise.all([
    listDocumentsToSeal(database, orgId, envelopeId),
    listAppearances(database, orgId, envelopeId),
    getCompletion(database, keys, orgId, envelopeId),
    sealing.keys.choose(orgId),
  ])
  const isResumed = documents.some(({ isRecorded }) => isRecorded)
  const recorded = isResumed ? await listSealedDocuments(database, orgId, envelopeId) : []
  return { documents, recorded, seals, sealedAt: takenAt, auditHead, choice }
}

/** The audit row that completed the signing; later rows concern the copies. A row with a wrong MAC never goes into a seal. */
async function getCompletion(sql: Sql, keys: SystemCore['keys'], orgId: OrgId, envelopeId: EnvelopeId): Promise<AuditHead> {
  const completion = await findCompletion(sql, orgId, envelopeId)
  if (!completion) throw new Error('The audit trail does not say that the envelope was completed.')
  const { seq, hash, mac } = completion
  if (!keys.isRowMac(mac, auditStatement('row', { orgId, envelopeId, seq }, hash)))
    throw new Error('The audit trail of the envelope was tampered with. Run: sealwright audit verify')
  return { envelopeId, seq, hash: hash.toString('hex') }
}

/** Seals the document unless its seal is already recorded, and stores the copy. */
async function sealOne(
  core: SystemCore,
  sealer: Sealer,
  of: Envelope,
  work: Work,
  document: DocumentToSeal,
): Promise<SealedDocument> {
  return sealer.sealing.memory.hold(document.sizeBytes + INCREMENT_BYTES, async (memory) => {
    const length = await inSealStage('read', () => core.storage.readInto(document.storageKey, memory))
    const original = memory.subarray(0, length)
    const recorded = work.recorded.find(({ documentId }) => documentId === document.id)
    const sealed = recorded ?? (await sealAndRecord(core, sealer, of, work, document, original))
    await inSealStage('store', () => store(core, sealed, original, memory))
    return sealed
  })
}

async function sealAndRecord(
  core: SystemCore,
  { sealing, key }: Sealer,
  { orgId, envelopeId }: Envelope,
  { seals, sealedAt, auditHead }: Work,
  document: DocumentToSeal,
  original: SharedBytes,
): Promise<SealedDocument> {
  if (!key) throw new Error('The document has to be sealed, and no key was held for it.')
  const placements = await findPlacements(core, orgId, document, seals)
  const { increment, sha256 } = await inSealStage('seal', () =>
    sealing.seal({ original, plan: document.inspection.plan, placements, seals, sealedAt, auditHead }, key),
  )
  const sealed = {
    documentId: document.id,
    envelopeId,
    storageKey: sealedKey(orgId, sha256),
    sha256,
    sizeBytes: original.length + increment.length,
    fingerprint: key.fingerprint,
    sealedAt,
    auditHead,
    increment,
  }
  if (await insertSealedDocument(core.database, orgId, sealed)) return sealed
  // Another worker, whose lease had expired, recorded its seal first: that one counts.
  const winner = await findSealed(core, { orgId, envelopeId }, document.id)
  if (!winner) throw new Error('The sealed document was not recorded.')
  return winner
}

/** From the upload, else for the sealing thread to find. */
async function findPlacements(
  { database }: SystemCore,
  orgId: OrgId,
  { id, inspection, sealPlaces }: DocumentToSeal,
  seals: readonly Appearance[],
): Promise<SealRequest['placements']> {
  const planned = findSeals(
    sealPlaces,
    seals.map(({ signOrder }) => signOrder),
  )
  return planned ?? { ...inspection, ink: await listPageInk(database, orgId, id) }
}

/** The store checks the bytes against the recorded hash, so exactly the verified bytes are stored. */
async function store(core: SystemCore, sealed: SealedDocument, original: SharedBytes, memory: SharedBytes): Promise<void> {
  if (sealed.increment === null) return
  const file = append(original, sealed.increment, memory)
  await core.storage.put(sealed.storageKey, file, { contentType: 'application/pdf', sha256: sealed.sha256 })
}

async function findSealed(
  core: SystemCore,
  { orgId, envelopeId }: Envelope,
  id: DocumentId,
): Promise<SealedDocument | undefined> {
  const sealed = await listSealedDocuments(core.database, orgId, envelopeId)
  return sealed.find(({ documentId }) => documentId === id)
}

/** The sealed file, in the memory of the original if it fits. */
function append(original: SharedBytes, increment: Buffer, memory: SharedBytes): Uint8Array {
  const length = original.length + increment.length
  if (length > memory.length) return Buffer.concat([original, increment])
  memory.set(increment, original.length)
  return memory.subarray(0, length)
}
