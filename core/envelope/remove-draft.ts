// What is done to a draft that goes, by its organisation's will or because nobody touched it: documents and rows; the audit trail stays.
import { appendAudit, type AuditEntry } from '#core/audit/record-audit.ts'
import { findChainEnd } from '#core/audit/store.ts'
import type { Core } from '#core/context.ts'
import { listDocuments } from '#core/document/store.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import { deleteEnvelope } from './store.ts'

/** Answers how many bytes of the organisation's storage are free with the commit. The caller holds the envelope's lock, has seen that it is a
 *  draft, and gives back its quotas. Throws what the store throws: then nothing has changed, and it can be done again. */
export async function removeDraft(
  sql: Sql,
  core: Pick<Core, 'keys' | 'storage'>,
  orgId: OrgId,
  id: EnvelopeId,
  by: Pick<AuditEntry, 'actor' | 'origin' | 'detail'>,
): Promise<number> {
  const [documents, end] = await Promise.all([listDocuments(sql, orgId, id), findChainEnd(sql, orgId, id)])
  await Promise.all([
    appendAudit(sql, core.keys, orgId, id, end, { ...by, action: 'envelope.deleted' }),
    deleteEnvelope(sql, orgId, id),
  ])
  for (const { storageKey } of documents) await core.storage.delete(storageKey)
  return documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
