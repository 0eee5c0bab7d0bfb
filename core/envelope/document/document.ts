// An uploaded PDF, as all code but the database sees it.
import type { DocumentId } from '#core/ids.ts'
import type { UploadWarning } from '#core/pdf/upload-warning.ts'

export interface Document {
  id: DocumentId
  filename: string
  sizeBytes: number
  createdAt: Date
}

/** Bytes in the object store and a row that is not visible yet. Code that does not make it a document discards it; after a crash it is swept. */
export interface StoredUpload {
  id: DocumentId
  storageKey: string
  warnings: UploadWarning[]
  normalisation: UploadNormalisation | null
}

/** An irregular file was written again; the result is the document. */
export interface UploadNormalisation {
  /** A sentence: what was irregular. */
  reason: string
  /** Hash of the file as it was uploaded. */
  uploadSha256: Buffer
}

/** A document as the answer to its upload reports it. */
export interface UploadedDocument extends Document {
  warnings: UploadWarning[]
  normalisedReason: string | null
}
