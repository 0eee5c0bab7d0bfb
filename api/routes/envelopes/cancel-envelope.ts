import { cancelEnvelope } from '#core/envelope/cancel-envelope.ts'
import { assertMayChange } from '#core/envelope/assert-may-change.ts'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { EnvelopePath } from '../../schemas/envelope.ts'

export const cancelEnvelopeRoute = defineOrganisationRoute({
  operationId: 'cancelEnvelope',
  summary: 'Cancel a sent envelope',
  description: 'All open signing links stop working immediately. You cannot undo this or send the envelope again.',
  method: 'post',
  path: '/api/v1/envelopes/:id/cancel',
  params: EnvelopePath,
  success: 204,
  errors: ['ENVELOPE_NOT_FOUND', 'ENVELOPE_NOT_CANCELLABLE'],
  authorizeReplay: ({ core, caller, params }) => assertMayChange(core, caller, params.id, 'envelope:cancel'),
  handle: ({ core, caller, params }) => cancelEnvelope(core, caller, params.id),
})
