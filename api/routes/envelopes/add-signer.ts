import { addSigner } from '#core/envelope/add-signer.ts'
import { assertMayChange } from '#core/envelope/assert-may-change.ts'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { EnvelopePath } from '../../schemas/envelope.ts'
import { toSignerResponse } from '../../responses/signer.ts'
import { AddSignerBody, SignerResponse } from '../../schemas/signer.ts'

export const addSignerRoute = defineOrganisationRoute({
  operationId: 'addSigner',
  summary: 'Add a signer to a draft',
  method: 'post',
  path: '/api/v1/envelopes/:id/signers',
  params: EnvelopePath,
  body: AddSignerBody,
  success: 201,
  response: SignerResponse,
  errors: ['ENVELOPE_NOT_FOUND', 'ENVELOPE_NOT_DRAFT', 'TOO_MANY_SIGNERS', 'DUPLICATE_SIGN_ORDER'],
  authorizeReplay: ({ core, caller, params }) => assertMayChange(core, caller, params.id, 'envelope:create'),
  handle: async ({ core, caller, params, body }) => toSignerResponse(await addSigner(core, caller, params.id, body)),
})
