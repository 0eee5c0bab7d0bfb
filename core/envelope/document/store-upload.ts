// Stores the bytes of a PDF after inspecting it and counting it against the quota. The upload becomes a document in the transaction that acknowledges
// it (`uploadDocument`, `attachNewDocument`).
import { creatorOf } from '#core/audit/record-audit.ts'
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { DocumentId, newId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { reserveStorage } from '#core/account/quota/reserve.ts'
import { discardUpload } from './discard-upload.ts'
import type { StoredUpload } from './document.ts'
import { originalKey } from './rules.ts'
import { insertDocument } from './store.ts'

/** A received file on local disk; the receiver owns and deletes it. */
export interface ReceivedFile {
  path: string
  filename: string
  sizeBytes: number
  sha256: Buffer
}

/** Throws the DOCUMENT_ codes of the inspection, QUOTA_EXCEEDED, SERVICE_UNAVAILABLE; then nothing is stored. */
export async function storeUpload(core: Core, caller: Caller, file: ReceivedFile): Promise<StoredUpload> {
  const { refuseActiveContent, repairDocuments } = core.settings
  const { inspection, normalisation: normalised } = await core.threads.inspection.inspect(
    file.path,
    { refuseActiveContent, repairDocuments },
    { owner: caller.orgId },
  )
  // From here on the normalised file is the document; of the upload only its hash is kept.
  const { sizeBytes, sha256 } = normalised ?? file
  const normalisation = normalised && { reason: normalised.reason, uploadSha256: file.sha256 }
  const id = newId(DocumentId)
  const storageKey = originalKey(caller.orgId, id)
  // The row comes first: bytes without a row would be lost space, while a row without bytes is swept and never shown.
  await inOrganisation(core.database, caller.orgId, async (sql) => {
    const { filename } = file
    const createdBy = creatorOf(caller)
    reserveStorage(sql, caller.orgId, core.settings, sizeBytes)
    const document = { id, filename, sizeBytes, sha256, storageKey, inspection, normalisation, createdBy }
    await insertDocument(sql, caller.orgId, document)
  })
  try {
    await core.storage.putFile(storageKey, file.path, { contentType: 'application/pdf', sha256 })
  } catch (error) {
    await discardUpload(core, caller.orgId, { id, storageKey })
    throw new DomainError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 5 })
  }
  return { id, storageKey, warnings: inspection.warnings, normalisation }
}
