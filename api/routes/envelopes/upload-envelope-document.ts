import { assertTakesDocument, attachNewDocument } from '#core/envelope/document/attach-new-document.ts'
import { assertMayChange } from '#core/envelope/assert-may-change.ts'
import { defineUploadRoute } from '../../http/define-route.ts'
import { toDocumentResponse } from '../../responses/document.ts'
import { DocumentResponse } from '../../schemas/document.ts'
import { EnvelopePath } from '../../schemas/envelope.ts'
import { uploadDocumentRoute } from '../documents/upload-document.ts'

export const uploadEnvelopeDocumentRoute = defineUploadRoute({
  operationId: 'uploadEnvelopeDocument',
  summary: 'Attach a new PDF to a draft',
  description: 'Uploads and attaches a document in one step.',
  method: 'post',
  path: '/api/v1/envelopes/:id/documents',
  params: EnvelopePath,
  success: 201,
  response: DocumentResponse,
  errors: ['ENVELOPE_NOT_FOUND', 'ENVELOPE_NOT_DRAFT', 'TOO_MANY_DOCUMENTS', ...uploadDocumentRoute.errors],
  admit: ({ core, caller, params }) => assertTakesDocument(core, caller, params.id),
  authorizeReplay: ({ core, caller, params }) => assertMayChange(core, caller, params.id, 'envelope:create'),
  handle: async ({ core, caller, params, upload }) =>
    toDocumentResponse(await attachNewDocument(core, caller, params.id, upload)),
})
