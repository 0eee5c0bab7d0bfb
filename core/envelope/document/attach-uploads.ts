// Attaches earlier uploads to a new draft, in the given order.
import { type AuditEntry, byCaller } from '#core/audit/record-audit.ts'
import type { Caller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { DocumentId, EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { areEnvelopesReadable, attachDocuments, type LockedUpload } from './store.ts'

/** Checks that the locked uploads are the named ones and unattached. Throws DOCUMENT_NOT_FOUND, DOCUMENT_ALREADY_ATTACHED. */
export async function assertAttachable(
  sql: Sql,
  caller: Caller,
  ids: readonly DocumentId[],
  uploads: readonly LockedUpload[],
): Promise<void> {
  if (uploads.length < ids.length) throw new DomainError('DOCUMENT_NOT_FOUND')
  const takenBy = uploads.flatMap(({ envelopeId }) => envelopeId ?? [])
  if (takenBy.length === 0) return
  // In a separate statement, after the locks: a concurrent attachment has committed by then, and an expired draft has been deleted with its
  // documents.
  const areReadable = await areEnvelopesReadable(sql, caller, takenBy)
  throw new DomainError(areReadable ? 'DOCUMENT_ALREADY_ATTACHED' : 'DOCUMENT_NOT_FOUND')
}

/** Attaches locked and checked uploads to an envelope without documents. */
export async function attachUploads(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId, ids: readonly DocumentId[]): Promise<void> {
  const attached = await attachDocuments(sql, orgId, envelopeId, ids, 0)
  if (attached < ids.length) throw new Error('A locked upload was attached elsewhere.')
}

/** The audit entries, one per document; that of a normalised one has the hash of the file as it was uploaded. */
export function attachedEntries(caller: Caller, documents: readonly Pick<LockedUpload, 'id' | 'uploadSha256'>[]): AuditEntry[] {
  return documents.map(({ id: documentId, uploadSha256 }) => ({
    ...byCaller(caller),
    action: 'document.attached',
    detail: { documentId, ...(uploadSha256 && { uploadSha256: uploadSha256.toString('hex') }) },
  }))
}
