// The wire shapes of documents. Spec, "Documents".
import type { DocumentRow } from '#core/document/store.ts'

const PDF = 'application/pdf'

export function toDocumentResponse({ id, filename }: Pick<DocumentRow, 'id' | 'filename'>) {
  return { id, filename, contentType: PDF }
}

export function toUploadedDocumentResponse({ id, filename, createdAt, sizeBytes }: DocumentRow) {
  return { id, filename, contentType: PDF, createdAt: createdAt.toISOString(), sizeBytes }
}
