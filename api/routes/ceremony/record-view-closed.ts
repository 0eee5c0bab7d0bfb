import { recordViewClosed } from '#core/envelope/ceremony/record-view.ts'
import { definePublicRoute } from '../../http/define-route.ts'
import { LinkPath, ViewClosedBody } from '../../schemas/ceremony.ts'

export const recordViewClosedRoute = definePublicRoute({
  operationId: 'recordViewClosed',
  summary: 'Record that the documents were closed',
  description: 'Closes the latest open view. Has no effect if none is open.',
  audience: 'signer',
  method: 'post',
  path: '/api/v1/sign/:token/view-closed',
  params: LinkPath,
  rates: ['ceremony-address', 'ceremony-token'],
  body: ViewClosedBody,
  success: 204,
  errors: ['SIGNING_LINK_NOT_FOUND', 'ENVELOPE_NOT_OPEN', 'NOT_YOUR_TURN'],
  handle: ({ core, params, body, origin }) => recordViewClosed(core, params.token, body, origin),
})
