import { recordViewOpened } from '#core/envelope/ceremony/record-view.ts'
import { definePublicRoute } from '../../http/define-route.ts'
import { LinkPath } from '../../schemas/ceremony.ts'

export const recordViewOpenedRoute = definePublicRoute({
  operationId: 'recordViewOpened',
  summary: 'Record that the documents were opened',
  description: 'Repeated within 30 s it does nothing. The first one emits `signer.viewed` where no code is due.',
  audience: 'signer',
  method: 'post',
  path: '/api/v1/sign/:token/view-opened',
  params: LinkPath,
  rates: ['ceremony-address', 'ceremony-token'],
  success: 204,
  errors: ['SIGNING_LINK_NOT_FOUND', 'ENVELOPE_NOT_OPEN', 'ALREADY_SIGNED', 'NOT_YOUR_TURN', 'OTP_REQUIRED'],
  handle: ({ core, params, origin }) => recordViewOpened(core, params.token, origin),
})
