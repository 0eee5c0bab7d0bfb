// The wire shapes of documents. Spec, "Documents".
import type { Document } from '#core/document/document.ts'

const PDF = 'application/pdf'

export function toDocumentResponse({ id, filename }: Pick<Document, 'id' | 'filename'>) {
  return { id, filename, contentType: PDF }
}

export function toUploadedDocumentResponse({ id, filename, createdAt, sizeBytes }: Document) {
  return { id, filename, contentType: PDF, createdAt: createdAt.toISOString(), sizeBytes }
}
