// Removes a draft, at its organisation's request or because it expired: its rows and objects; the audit trail stays.
import { appendAudit, type AuditEntry } from '#core/audit/record-audit.ts'
import { findChainEnd } from '#core/audit/store.ts'
import type { Core } from '#core/context.ts'
import { listDocuments } from '#core/envelope/document/store.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { deleteEnvelope } from './store.ts'

export interface RemovedDraft {
  /** Storage of the organisation, free with the commit. */
  bytes: number
  /** Objects that no row names after the commit. */
  storageKeys: string[]
}

/** The caller holds the envelope's lock, has checked that it is a draft, releases its quotas, and discards the objects after the commit. */
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
