import { getEnvelope } from '#core/envelope/get-envelope.ts'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { toEnvelopeResponse } from '../../responses/envelope.ts'
import { EnvelopePath, EnvelopeResponse } from '../../schemas/envelope.ts'

export const getEnvelopeRoute = defineOrganisationRoute({
  operationId: 'getEnvelope',
  summary: 'Get an envelope',
  method: 'get',
  path: '/api/v1/envelopes/:id',
  params: EnvelopePath,
  success: 200,
  response: EnvelopeResponse,
  errors: ['ENVELOPE_NOT_FOUND'],
  handle: async ({ core, caller, params }) => toEnvelopeResponse(await getEnvelope(core, caller, params.id)),
})
