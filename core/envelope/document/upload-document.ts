// Makes a stored upload a document, which can be attached and is kept for a day.
import type { Caller, Core } from '#core/context.ts'
import { changeInOrganisation } from '#core/platform/postgres/client.ts'
import type { StoredUpload, UploadedDocument } from './document.ts'
import { markStored } from './store.ts'

/** The document, counted and acknowledged by this one transaction. */
export async function uploadDocument(
  core: Pick<Core, 'database'>,
  caller: Caller,
  { id, warnings, normalisation }: StoredUpload,
): Promise<UploadedDocument> {
  const [document] = await changeInOrganisation(core.database, caller.orgId, (sql) => markStored(sql, caller.orgId, id))
  if (!document) throw new Error('The upload was swept while it was being stored.')
  return { ...document, warnings, normalisedReason: normalisation?.reason ?? null }
}
