import { verifyOtp } from '#core/envelope/ceremony/verify-otp.ts'
import { definePublicRoute } from '../../http/define-route.ts'
import { LinkPath, OtpVerificationResponse, VerifyOtpBody } from '../../schemas/ceremony.ts'

export const verifyOtpRoute = definePublicRoute({
  operationId: 'verifyOtp',
  summary: 'Verify a one-time code',
  description:
    'After a correct code, the signer can read and sign for 30 minutes. A wrong code answers 200 with `verified` false.',
  audience: 'signer',
  method: 'post',
  path: '/api/v1/sign/:token/verify-otp',
  params: LinkPath,
  rates: ['ceremony-address', 'ceremony-token'],
  body: VerifyOtpBody,
  success: 200,
  response: OtpVerificationResponse,
  errors: [
    'SIGNING_LINK_NOT_FOUND',
    'OTP_CHALLENGE_NOT_FOUND',
    'ENVELOPE_NOT_OPEN',
    'ALREADY_SIGNED',
    'NOT_YOUR_TURN',
    'OTP_NOT_REQUIRED',
    'OTP_PAUSED',
  ],
  handle: ({ core, params, body, origin }) => verifyOtp(core, params.token, body, origin),
})
