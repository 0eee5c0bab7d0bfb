import { openLink } from '#core/envelope/ceremony/open-link.ts'
import { definePublicRoute } from '../../http/define-route.ts'
import { LinkPath, SigningViewResponse } from '../../schemas/ceremony.ts'

export const openLinkRoute = definePublicRoute({
  operationId: 'openSigningLink',
  summary: 'Open a signing link',
  description:
    'Changes nothing, because email scanners follow links too. If a code is required, `documents` is empty and `consent` is null until it is verified. Show the signer the text of `consent` before calling `sign`; `Accept-Language` selects its language.',
  audience: 'signer',
  method: 'get',
  path: '/api/v1/sign/:token',
  params: LinkPath,
  rates: ['ceremony-address', 'ceremony-token'],
  success: 200,
  response: SigningViewResponse,
  errors: ['SIGNING_LINK_NOT_FOUND'],
  handle: ({ core, params, language }) => openLink(core, params.token, language),
})
