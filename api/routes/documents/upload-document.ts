import { assertMayUpload } from '#core/envelope/document/assert-may-upload.ts'
import { uploadDocument } from '#core/envelope/document/upload-document.ts'
import { z } from 'zod'
import { defineUploadRoute } from '../../http/define-route.ts'
import { toUploadedDocumentResponse } from '../../responses/document.ts'
import { UploadedDocumentResponse } from '../../schemas/document.ts'
import { OwnOrganisationQuery } from '../../schemas/organisation.ts'

export const uploadDocumentRoute = defineUploadRoute({
  operationId: 'uploadDocument',
  summary: 'Upload a PDF',
  description:
    'Requires `envelope:create` in any workspace. The file is inspected before it is accepted. It counts towards the storage quota. It is deleted after 24 hours unless it is attached to an envelope.',
  method: 'post',
  path: '/api/v1/documents',
  params: z.object({}),
  query: OwnOrganisationQuery,
  success: 201,
  response: UploadedDocumentResponse,
  errors: [
    'UNSUPPORTED_CONTENT_TYPE',
    'DOCUMENT_TOO_LARGE',
    'DOCUMENT_INVALID',
    'DOCUMENT_ENCRYPTED',
    'DOCUMENT_TOO_COMPLEX',
    'DOCUMENT_XFA',
    'DOCUMENT_ACTIVE_CONTENT',
    'DOCUMENT_CHANGES_LOCKED',
    'QUOTA_EXCEEDED',
  ],
  admit: ({ core, caller }) => assertMayUpload(core, caller),
  authorizeReplay: ({ core, caller }) => assertMayUpload(core, caller),
  handle: async ({ core, caller, upload }) => toUploadedDocumentResponse(await uploadDocument(core, caller, upload)),
})
