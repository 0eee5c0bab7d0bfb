import { getEnvelope } from '#core/envelope/get-envelope.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toEnvelopeResponse } from '../../../responses/envelope.ts'
import { EnvelopePath, EnvelopeResponse } from '../../../schemas/envelope.ts'

export const getPanelEnvelopeRoute = definePanelRoute({
  operationId: 'getPanelEnvelope',
  summary: 'Get an envelope with its signers',
  access: 'member',
  method: 'get',
  path: '/settings/api/envelopes/:id',
  params: EnvelopePath,
  success: 200,
  response: EnvelopeResponse,
  errors: ['ENVELOPE_NOT_FOUND'],
  handle: async ({ core, caller, params }) => toEnvelopeResponse(await getEnvelope(core, caller, params.id)),
})
