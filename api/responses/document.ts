// Documents, as answers hold them.
import type { UploadedDocument } from '#core/envelope/document/document.ts'
import type { DocumentResponse, UploadedDocumentResponse } from '../schemas/document.ts'

export function toDocumentResponse({
  id,
  filename,
  warnings,
  normalisedReason,
}: Pick<UploadedDocument, 'id' | 'filename' | 'warnings' | 'normalisedReason'>): DocumentResponse {
  const document = { id, filename, contentType: 'application/pdf', warnings: warnings.map(toUploadWarning) } as const
  return normalisedReason === null ? { ...document, normalised: false } : { ...document, normalised: true, normalisedReason }
}

export function toUploadedDocumentResponse({ createdAt, sizeBytes, ...document }: UploadedDocument): UploadedDocumentResponse {
  return { ...toDocumentResponse(document), createdAt: createdAt.toISOString(), sizeBytes }
}

/** The API counts pages from 1. */
function toUploadWarning({ page, ...warning }: UploadedDocument['warnings'][number]): DocumentResponse['warnings'][number] {
  return { ...warning, page: page === null ? null : page + 1 }
}
