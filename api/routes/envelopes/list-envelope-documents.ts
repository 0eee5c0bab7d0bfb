import { listEnvelopeDocuments } from '#core/envelope/document/list-envelope-documents.ts'
import { z } from 'zod'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { DocumentWithUrlsResponse } from '../../schemas/document.ts'
import { EnvelopePath } from '../../schemas/envelope.ts'

export const listEnvelopeDocumentsRoute = defineOrganisationRoute({
  operationId: 'listEnvelopeDocuments',
  summary: 'List documents with download links',
  description:
    'The presigned URLs are valid for 3600 s and need no token. Both are null without `document:download`. `signedUrl` is null until the envelope is COMPLETED and sealed.',
  method: 'get',
  path: '/api/v1/envelopes/:id/documents',
  params: EnvelopePath,
  success: 200,
  response: z.array(DocumentWithUrlsResponse),
  errors: ['ENVELOPE_NOT_FOUND'],
  handle: ({ core, caller, params }) => listEnvelopeDocuments(core, caller, params.id),
})
