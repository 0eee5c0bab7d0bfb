// Takes a stored upload straight into a draft: the same as uploading and attaching, in one step for the caller.
import type { Caller, Core } from '#core/context.ts'
import { touchDraft } from '#core/envelope/draft-store.ts'
import { lockEnvelopeFor } from '#core/envelope/lock-for.ts'
import { assertDocumentCount, nextStatus } from '#core/envelope/rules.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/postgres/client.ts'
import { attachUploads } from './attach-uploads.ts'
import type { Document, StoredUpload } from './document.ts'
import { countDocuments, markStored } from './store.ts'

/** Throws what `assertTakesDocument` throws; then the upload is nobody's document. */
export async function attachNewDocument(
  core: Core,
  caller: Caller,
  envelopeId: EnvelopeId,
  { id }: StoredUpload,
): Promise<Document> {
  return inOrganisation(core.database, caller.orgId, async (sql) => {
    await lockDraft(sql, caller, envelopeId)
    await markStored(sql, caller.orgId, id)
    const [document] = await attachUploads(sql, core, caller, envelopeId, [id])
    if (!document) throw new Error('The upload was swept while it was being stored.')
    await touchDraft(sql, caller.orgId, envelopeId, core.settings.draftTtlSeconds)
    return document
  })
}

/** Says before the bytes are received whether the envelope would take them.
 *  Throws ENVELOPE_NOT_FOUND, ENVELOPE_NOT_DRAFT, TOO_MANY_DOCUMENTS, Forbidden. */
export async function assertTakesDocument(core: Pick<Core, 'database'>, caller: Caller, envelopeId: EnvelopeId): Promise<void> {
  await inOrganisation(core.database, caller.orgId, async (sql) => {
    await lockDraft(sql, caller, envelopeId)
    const { count } = await countDocuments(sql, caller.orgId, envelopeId)
    assertDocumentCount(count + 1)
  })
}

async function lockDraft(sql: Sql, caller: Caller, envelopeId: EnvelopeId): Promise<void> {
  const envelope = await lockEnvelopeFor(sql, caller, envelopeId, 'envelope:create')
  nextStatus('edit', envelope.status)
}
