import { listEnvelopeDocuments } from '#core/document/list-envelope-documents.ts'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { EnvelopePath } from '../../schemas/envelope.ts'

export const listEnvelopeDocumentsRoute = defineOrganisationRoute({
  operationId: 'listEnvelopeDocuments',
  method: 'get',
  path: '/api/v1/envelopes/:id/documents',
  params: EnvelopePath,
  success: 200,
  errors: ['ENVELOPE_NOT_FOUND'],
  handle: ({ core, caller, params }) => listEnvelopeDocuments(core, caller, params.id),
})
