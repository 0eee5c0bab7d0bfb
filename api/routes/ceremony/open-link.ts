import { openLink } from '#core/envelope/ceremony/open-link.ts'
import { definePublicRoute } from '../../http/define-route.ts'
import { LinkPath, SigningViewResponse } from '../../schemas/ceremony.ts'

export const openLinkRoute = definePublicRoute({
  operationId: 'openSigningLink',
  summary: 'Open a signing link',
  description: 'Has no effect: mail scanners follow links too. While a code is owed, `documents` is empty.',
  audience: 'signer',
  method: 'get',
  path: '/api/v1/sign/:token',
  params: LinkPath,
  rates: ['ceremony-address', 'ceremony-token'],
  success: 200,
  response: SigningViewResponse,
  errors: ['SIGNING_LINK_NOT_FOUND'],
  handle: ({ core, params }) => openLink(core, params.token),
})
