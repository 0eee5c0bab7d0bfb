// An uploaded PDF, as all code but the database sees it.
import type { DocumentId } from '#core/ids.ts'

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
}
