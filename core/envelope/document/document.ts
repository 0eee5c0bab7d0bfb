// An uploaded PDF, as everyone but the database knows it.
import type { DocumentId } from '#core/ids.ts'

export interface Document {
  id: DocumentId
  filename: string
  sizeBytes: number
  createdAt: Date
}

/** Bytes in the object store and a row that nobody sees. Whoever does not make a document of it discards it; what a crash leaves is swept. */
export interface StoredUpload {
  id: DocumentId
  storageKey: string
}
