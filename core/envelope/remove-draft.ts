// What is done to a draft that goes, by its organisation's will or because nobody touched it: its rows and what they name; the audit trail stays.
import { appendAudit, type AuditEntry } from '#core/audit/record-audit.ts'
import { findChainEnd } from '#core/audit/store.ts'
import type { Core } from '#core/context.ts'
import { listDocuments } from '#core/envelope/document/store.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { deleteEnvelope } from './store.ts'

export interface RemovedDraft {
  /** Of the organisation's storage, free with the commit. */
  bytes: number
  /** Of the objects that nobody names after the commit. */
  storageKeys: string[]
}

/** The caller holds the envelope's lock, has seen that it is a draft, gives back its quotas, and discards the objects when all of it is committed. */
export async function removeDraft(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  id: EnvelopeId,
  by: Pick<AuditEntry, 'actor' | 'origin' | 'detail'>,
): Promise<RemovedDraft> {
  const [documents, end] = await Promise.all([listDocuments(sql, orgId, id), findChainEnd(sql, orgId, id)])
  await Promise.all([
    appendAudit(sql, keys, orgId, id, end, { ...by, action: 'envelope.deleted' }),
    deleteEnvelope(sql, orgId, id),
  ])
  return {
    bytes: documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    storageKeys: documents.map(({ storageKey }) => storageKey),
  }
}
