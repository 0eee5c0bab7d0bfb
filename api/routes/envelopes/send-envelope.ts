import { assertMayChange } from '#core/envelope/assert-may-change.ts'
import { sendEnvelope } from '#core/envelope/send-envelope.ts'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { EnvelopePath } from '../../schemas/envelope.ts'
import { toSendResponse } from '../../responses/send.ts'
import { SendResponse } from '../../schemas/send.ts'

export const sendEnvelopeRoute = defineOrganisationRoute({
  operationId: 'sendEnvelope',
  summary: 'Send a draft',
  description:
    'Locks documents and signers, and emails a link to each signer whose turn it is. Only this response contains the signing tokens.',
  method: 'post',
  path: '/api/v1/envelopes/:id/send',
  params: EnvelopePath,
  success: 200,
  response: SendResponse,
  errors: ['ENVELOPE_NOT_FOUND', 'ENVELOPE_ALREADY_SENT', 'ENVELOPE_NOT_DRAFT', 'NO_SIGNERS', 'NO_DOCUMENTS', 'QUOTA_EXCEEDED'],
  authorizeReplay: ({ core, caller, params }) => assertMayChange(core, caller, params.id, 'envelope:send'),
  handle: async ({ core, caller, params }) => toSendResponse(await sendEnvelope(core, caller, params.id)),
})
