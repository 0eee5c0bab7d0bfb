// Takes a PDF in: inspected before it counts, stored before it is acknowledged, counted against the quota before it is stored.
import { creatorOf } from '#core/audit/record-audit.ts'
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import { DocumentId, newId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { reserveStorage } from '#core/quota/reserve.ts'
import { discardUpload } from './discard-upload.ts'
import { originalKey } from './rules.ts'
import type { Document } from './document.ts'
import { insertDocument, markStored } from './store.ts'

/** A received file on local disk, owned and deleted by whoever received it. */
export interface ReceivedFile {
  path: string
  filename: string
  sizeBytes: number
  sha256: Buffer
}

/** Throws DOCUMENT_TOO_LARGE, the DOCUMENT_ codes of the inspection, QUOTA_EXCEEDED, SERVICE_UNAVAILABLE; then nothing is kept. */
export async function uploadDocument(core: Core, caller: Caller, file: ReceivedFile): Promise<Document> {
  const { inspection: pool } = core.threads
  const inspection = await pool.inspect(file.path, { refuseActiveContent: core.settings.refuseActiveContent })
  const id = newId(DocumentId)
  const storageKey = originalKey(caller.orgId, id)
  // The row is first: bytes without a row would be lost room, a row without bytes is swept and never shown.
  await inOrganisation(core.database, caller.orgId, async (sql) => {
    const { filename, sizeBytes, sha256 } = file
    await insertDocument(sql, caller.orgId, {
      id,
      filename,
      sizeBytes,
      sha256,
      storageKey,
      inspection,
      createdBy: creatorOf(caller),
    })
    await reserveStorage(sql, caller.orgId, core.settings, sizeBytes)
  })
  try {
    await core.storage.putFile(storageKey, file.path, { contentType: 'application/pdf', sha256: file.sha256 })
  } catch (error) {
    await discardUpload(core, caller.orgId, { id, storageKey })
    throw new DomainError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 5 })
  }
  const document = await inOrganisation(core.database, caller.orgId, (sql) => markStored(sql, caller.orgId, id))
  if (!document) throw new Error('The upload was swept while it was being stored.')
  return document
}
