import { addSigner } from '#core/envelope/add-signer.ts'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { AddSignerBody, EnvelopePath, toSignerResponse } from '../../schemas/envelope.ts'

export const addSignerRoute = defineOrganisationRoute({
  operationId: 'addSigner',
  method: 'post',
  path: '/api/v1/envelopes/:id/signers',
  params: EnvelopePath,
  body: AddSignerBody,
  success: 201,
  errors: ['ENVELOPE_NOT_FOUND', 'ENVELOPE_NOT_DRAFT', 'TOO_MANY_SIGNERS', 'DUPLICATE_SIGN_ORDER'],
  handle: async ({ core, caller, params, body }) => toSignerResponse(await addSigner(core, caller, params.id, body)),
})
