import { requestOtp } from '#core/envelope/ceremony/request-otp.ts'
import { definePublicRoute } from '../../http/define-route.ts'
import { LinkPath, OtpChallengeResponse } from '../../schemas/ceremony.ts'

export const requestOtpRoute = definePublicRoute({
  operationId: 'requestOtp',
  summary: 'Request a one-time code',
  description: 'Emails a six-digit code. During the cooldown it returns the current challenge and sends no email.',
  audience: 'signer',
  method: 'post',
  path: '/api/v1/sign/:token/request-otp',
  params: LinkPath,
  rates: ['ceremony-address', 'ceremony-token'],
  success: 200,
  response: OtpChallengeResponse,
  errors: [
    'SIGNING_LINK_NOT_FOUND',
    'ENVELOPE_NOT_OPEN',
    'ALREADY_SIGNED',
    'NOT_YOUR_TURN',
    'OTP_NOT_REQUIRED',
    'OTP_SEND_LIMIT',
    'OTP_PAUSED',
    'QUOTA_EXCEEDED',
  ],
  handle: ({ core, params, origin }) => requestOtp(core, params.token, origin),
})
