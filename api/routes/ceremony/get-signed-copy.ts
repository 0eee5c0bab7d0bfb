import { getSignedCopy } from '#core/envelope/ceremony/get-signed-copy.ts'
import { definePublicRoute } from '../../http/define-route.ts'
import { LinkPath, SignedCopyResponse } from '../../schemas/ceremony.ts'

export const getSignedCopyRoute = definePublicRoute({
  operationId: 'getSignedCopy',
  summary: "Get the signer's sealed copy",
  description: 'Works with the link that was used to sign, after the envelope is completed.',
  audience: 'signer',
  method: 'get',
  path: '/api/v1/sign/:token/signed-documents',
  params: LinkPath,
  rates: ['ceremony-address', 'ceremony-token'],
  success: 200,
  response: SignedCopyResponse,
  errors: ['SIGNING_LINK_NOT_FOUND', 'SIGNED_COPY_NOT_AVAILABLE'],
  handle: ({ core, params }) => getSignedCopy(core, params.token),
})
