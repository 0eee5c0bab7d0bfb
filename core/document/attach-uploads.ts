// Takes earlier uploads into a draft, in the order named.
import { byCaller, recordAudit } from '#core/audit/record-audit.ts'
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import type { DocumentId, EnvelopeId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { Document } from './document.ts'
import { areEnvelopesThere, attachDocument, countDocuments, lockUploads } from './store.ts'
import { assertDocumentCount } from '#core/envelope/rules.ts'

/** The attached documents. The caller holds the envelope's lock and has seen that it is a draft.
 *  Throws DOCUMENT_NOT_FOUND, DOCUMENT_ALREADY_ATTACHED, TOO_MANY_DOCUMENTS. */
export async function attachUploads(
  sql: Sql,
  core: Pick<Core, 'keys' | 'settings'>,
  caller: Caller,
  envelopeId: EnvelopeId,
  ids: readonly DocumentId[],
): Promise<Document[]> {
  if (ids.length === 0) return []
  const uploads = await lockUploads(sql, caller.orgId, ids, core.settings.unattachedUploadTtlSeconds)
  if (uploads.length < ids.length) throw new DomainError('DOCUMENT_NOT_FOUND')
  await refuseTaken(
    sql,
    caller,
    uploads.flatMap((upload) => upload.envelopeId ?? []),
  )
  const { count, lastPosition } = await countDocuments(sql, caller.orgId, envelopeId)
  assertDocumentCount(count + ids.length)
  const attached: Document[] = []
  for (const [index, id] of ids.entries()) {
    const document = await attachDocument(sql, caller.orgId, id, envelopeId, lastPosition + index + 1)
    if (!document) throw new DomainError('DOCUMENT_ALREADY_ATTACHED')
    await recordAudit(sql, core.keys, caller.orgId, envelopeId, {
      ...byCaller(caller),
      action: 'document.attached',
      detail: { documentId: id },
    })
    attached.push(document)
  }
  return attached
}

/** In a statement of its own, behind the locks: whoever was first has committed, and a draft whose time has passed has taken its documents along. */
async function refuseTaken(sql: Sql, { orgId }: Caller, takenBy: readonly EnvelopeId[]): Promise<void> {
  if (takenBy.length === 0) return
  const areThere = await areEnvelopesThere(sql, orgId, takenBy)
  throw new DomainError(areThere ? 'DOCUMENT_ALREADY_ATTACHED' : 'DOCUMENT_NOT_FOUND')
}
