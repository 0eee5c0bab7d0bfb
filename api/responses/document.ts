// Documents, as answers hold them.
import type { Document } from '#core/envelope/document/document.ts'
import type { DocumentResponse, UploadedDocumentResponse } from '../schemas/document.ts'

export function toDocumentResponse({ id, filename }: Pick<Document, 'id' | 'filename'>): DocumentResponse {
  return { id, filename, contentType: 'application/pdf' }
}

export function toUploadedDocumentResponse({ id, filename, createdAt, sizeBytes }: Document): UploadedDocumentResponse {
  return { id, filename, contentType: 'application/pdf', createdAt: createdAt.toISOString(), sizeBytes }
}
