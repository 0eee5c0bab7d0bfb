import { recordViewOpened } from '#core/envelope/ceremony/record-view.ts'
import { definePublicRoute } from '../../http/define-route.ts'
import { LinkPath } from '../../schemas/ceremony.ts'

export const recordViewOpenedRoute = definePublicRoute({
  operationId: 'recordViewOpened',
  summary: 'Record that the documents were opened',
  description: 'A repetition within 30 s has no effect. If no code is required, the first call emits `signer.viewed`.',
  audience: 'signer',
  method: 'post',
  path: '/api/v1/sign/:token/view-opened',
  params: LinkPath,
  rates: ['ceremony-address', 'ceremony-token'],
  success: 204,
  errors: ['SIGNING_LINK_NOT_FOUND', 'ENVELOPE_NOT_OPEN', 'ALREADY_SIGNED', 'NOT_YOUR_TURN', 'OTP_REQUIRED'],
  handle: ({ core, params, origin }) => recordViewOpened(core, params.token, origin),
})
