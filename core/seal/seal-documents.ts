// The sealed copy of every document of an envelope: seal, write down what was sealed, store, write down that it is stored.
import { auditStatement } from '#core/audit/rules.ts'
import { findCompletion } from '#core/audit/store.ts'
import type { SystemCore } from '#core/context.ts'
import { equalSecrets } from '#core/crypto/installation-keys.ts'
import { sealedKey } from '#core/document/rules.ts'
import { type EnvelopeDocument, listInspectedDocuments } from '#core/document/store.ts'
import type { DocumentId, EnvelopeId, OrgId } from '#core/ids.ts'
import { inTransaction, type Sql } from '#core/postgres/client.ts'
import { databaseNow } from '#core/postgres/now.ts'
import { inSpan } from '#core/trace/spans.ts'
import type { AuditHead } from './audit-head.ts'
import type { SealingPool } from './sealing-pool.ts'
import { insertSealedDocument, listAppearances, listSealedDocuments, markSealStored, type SealedDocument } from './store.ts'

interface Work {
  documents: EnvelopeDocument[]
  seals: { signOrder: number; appearance: Buffer }[]
  sealedAt: Date
  auditHead: AuditHead
}

/** Ends with every document's sealed copy stored and recorded, whatever an earlier run had done already. */
export async function sealDocuments(
  core: SystemCore,
  sealing: SealingPool,
  { orgId, envelopeId }: { orgId: OrgId; envelopeId: EnvelopeId },
): Promise<SealedDocument[]> {
  const work = await loadWork(core, orgId, envelopeId)
  for (const document of work.documents) {
    const recorded = await findSealed(core, orgId, envelopeId, document.id)
    if (recorded?.increment === null) continue
    const original = await inSpan('read original', {}, () => core.storage.read(document.storageKey))
    const sealed = recorded ?? (await sealAndRecord(core, sealing, { orgId, envelopeId }, document, original, work))
    await inSpan('store sealed copy', {}, () => store(core, { orgId, envelopeId }, sealed, original))
  }
  return listSealedDocuments(core.database, orgId, envelopeId)
}

async function loadWork(core: SystemCore, orgId: OrgId, envelopeId: EnvelopeId): Promise<Work> {
  return inTransaction(core.database, async (sql) => ({
    documents: await listInspectedDocuments(sql, orgId, envelopeId),
    seals: await listAppearances(sql, orgId, envelopeId),
    sealedAt: await databaseNow(sql),
    auditHead: await getCompletion(sql, core.keys, orgId, envelopeId),
  }))
}

/** The row with which the signing ended: what was recorded since then is about the copies. A row that is not ours is never put into a seal. */
async function getCompletion(sql: Sql, keys: SystemCore['keys'], orgId: OrgId, envelopeId: EnvelopeId): Promise<AuditHead> {
  const completion = await findCompletion(sql, orgId, envelopeId)
  if (!completion) throw new Error('The audit trail does not say that the envelope was completed.')
  const { seq, hash, mac } = completion
  if (!equalSecrets(mac, keys.auditMac(auditStatement('row', { orgId, envelopeId, seq }, hash))))
    throw new Error('The audit trail of the envelope was tampered with. See: sealwright audit verify')
  return { envelopeId, seq, hash: hash.toString('hex') }
}

async function findSealed(
  core: SystemCore,
  orgId: OrgId,
  envelopeId: EnvelopeId,
  id: DocumentId,
): Promise<SealedDocument | undefined> {
  const sealed = await listSealedDocuments(core.database, orgId, envelopeId)
  return sealed.find(({ documentId }) => documentId === id)
}

async function sealAndRecord(
  core: SystemCore,
  sealing: SealingPool,
  { orgId, envelopeId }: { orgId: OrgId; envelopeId: EnvelopeId },
  document: EnvelopeDocument,
  original: Buffer,
  { seals, sealedAt, auditHead }: Work,
): Promise<SealedDocument> {
  const { increment, sha256 } = await inSpan('seal document', {}, () =>
    sealing.seal({ original, inspection: document.inspection, seals, sealedAt, auditHead }),
  )
  await insertSealedDocument(core.database, orgId, {
    documentId: document.id,
    envelopeId,
    storageKey: sealedKey(orgId, sha256),
    sha256,
    sizeBytes: original.length + increment.length,
    fingerprint: sealing.fingerprint,
    sealedAt,
    auditHead,
    increment,
  })
  // Another run whose lease had lapsed may have been first: its seal counts, not ours.
  const winner = await findSealed(core, orgId, envelopeId, document.id)
  if (!winner) throw new Error('The sealed document was not recorded.')
  return winner
}

/** The store checks the bytes against the recorded hash, so what is stored is what was sealed and verified. */
async function store(
  core: SystemCore,
  { orgId, envelopeId }: { orgId: OrgId; envelopeId: EnvelopeId },
  sealed: SealedDocument,
  original: Buffer,
): Promise<void> {
  if (sealed.increment === null) return
  const { storageKey, sha256, documentId } = sealed
  await core.storage.put(storageKey, Buffer.concat([original, sealed.increment]), { contentType: 'application/pdf', sha256 })
  const marked = await markSealStored(core.database, orgId, documentId)
  // No row any more: the envelope was erased while this run was away, and nobody else would ever delete what it has just stored.
  if (!marked && !(await findSealed(core, orgId, envelopeId, documentId))) await core.storage.delete(storageKey)
}
