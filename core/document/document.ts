// An uploaded PDF, as everyone but the database knows it.
import type { DocumentId } from '#core/ids.ts'

export interface Document {
  id: DocumentId
  filename: string
  sizeBytes: number
  createdAt: Date
}
