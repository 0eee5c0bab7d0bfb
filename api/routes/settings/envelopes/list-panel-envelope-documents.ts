import { listEnvelopeDocuments } from '#core/envelope/document/list-envelope-documents.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { DocumentWithUrlsResponse } from '../../../schemas/document.ts'
import { EnvelopePath } from '../../../schemas/envelope.ts'

export const listPanelEnvelopeDocumentsRoute = definePanelRoute({
  operationId: 'listPanelEnvelopeDocuments',
  summary: 'List the documents of an envelope; download URLs need document:download',
  access: 'member',
  method: 'get',
  path: '/settings/api/envelopes/:id/documents',
  params: EnvelopePath,
  success: 200,
  response: z.array(DocumentWithUrlsResponse),
  errors: ['ENVELOPE_NOT_FOUND'],
  handle: ({ core, caller, params }) => listEnvelopeDocuments(core, caller, params.id),
})
