// Adds a stored upload to a draft at once: upload and attach in one step for the caller.
import { appendAudit } from '#core/audit/record-audit.ts'
import { findChainEnd } from '#core/audit/store.ts'
import type { Caller, Core } from '#core/context.ts'
import { touchDraft } from '#core/envelope/draft-store.ts'
import { lockEnvelopeForChange } from '#core/envelope/lock-for-change.ts'
import { assertDocumentCount, nextStatus } from '#core/envelope/rules.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { attachedEntries } from './attach-uploads.ts'
import type { StoredUpload, UploadedDocument } from './document.ts'
import { attachDocuments, countDocuments, markStored } from './store.ts'

/** Throws what `assertTakesDocument` throws; then the upload stays unattached. */
export async function attachNewDocument(
  core: Core,
  caller: Caller,
  envelopeId: EnvelopeId,
  { id, warnings, normalisation }: StoredUpload,
): Promise<UploadedDocument> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const [lastPosition, end] = await Promise.all([lockForOneMore(sql, caller, envelopeId), findChainEnd(sql, orgId, envelopeId)])
    const [[document]] = await Promise.all([
      markStored(sql, orgId, id).execute(),
      attachDocuments(sql, orgId, envelopeId, [id], lastPosition),
      touchDraft(sql, orgId, envelopeId, core.settings.draftTtlSeconds),
      appendAudit(
        sql,
        core.keys,
        orgId,
        envelopeId,
        end,
        ...attachedEntries(caller, [{ id, uploadSha256: normalisation?.uploadSha256 ?? null }]),
      ),
    ])
    if (!document) throw new Error('The upload was swept while it was being stored.')
    return { ...document, warnings, normalisedReason: normalisation?.reason ?? null }
  })
}

/** Checks before the bytes are received whether the envelope accepts a document. Throws ENVELOPE_NOT_FOUND, ENVELOPE_NOT_DRAFT, TOO_MANY_DOCUMENTS,
 *  ForbiddenError. */
export async function assertTakesDocument(core: Pick<Core, 'database'>, caller: Caller, envelopeId: EnvelopeId): Promise<void> {
  await inOrganisation(core.database, caller.orgId, (sql) => lockForOneMore(sql, caller, envelopeId))
}

/** The last position taken in the locked draft. */
async function lockForOneMore(sql: Sql, caller: Caller, envelopeId: EnvelopeId): Promise<number> {
  const [envelope, { count, lastPosition }] = await Promise.all([
    lockEnvelopeForChange(sql, caller, envelopeId, 'envelope:create'),
    countDocuments(sql, caller.orgId, envelopeId),
  ])
  nextStatus('edit', envelope.status)
  assertDocumentCount(count + 1)
  return lastPosition
}
