import { awaitSignedCopy } from '#core/envelope/ceremony/await-signed-copy.ts'
import { signEnvelope } from '#core/envelope/ceremony/sign-envelope.ts'
import { definePublicRoute } from '../../http/define-route.ts'
import { LinkPath, SignBody, SignResponse } from '../../schemas/ceremony.ts'

export const signRoute = definePublicRoute({
  operationId: 'sign',
  summary: 'Sign',
  description:
    'Requires a recorded view and, if a code is required, a verified code or `otpCode`. The last signature completes the envelope and waits up to 3 s for the sealed copies. The audit trail records the version and language of the sentence that the signer agreed to, `consent` of `openSigningLink`.',
  audience: 'signer',
  method: 'post',
  path: '/api/v1/sign/:token/sign',
  params: LinkPath,
  rates: ['ceremony-address', 'ceremony-token'],
  body: SignBody,
  // An image of 512 KiB is a third larger as base64; a somewhat larger body still gets the error that names the image.
  maxBodyBytes: 2 * 1024 * 1024,
  success: 200,
  response: SignResponse,
  errors: [
    'SIGNING_LINK_NOT_FOUND',
    'OTP_CHALLENGE_NOT_FOUND',
    'ENVELOPE_NOT_OPEN',
    'ALREADY_SIGNED',
    'NOT_YOUR_TURN',
    'SIGNATURE_IMAGE_INVALID',
    'OTP_REQUIRED',
    'VIEW_REQUIRED',
    'OTP_PAUSED',
  ],
  handle: async ({ core, params, body, origin, language: preferred }) => {
    const { signatureImage, challengeId, otpCode, language } = body
    const code = challengeId && otpCode ? { challengeId, code: otpCode } : undefined
    const { completed, owner } = await signEnvelope(
      core,
      params.token,
      { signatureImage, code, language: language ?? preferred },
      origin,
    )
    const copies = completed ? await awaitSignedCopy(core, owner) : []
    return {
      completed,
      envelopeId: owner.envelopeId,
      message: completed ? 'Everyone has signed. Thank you.' : 'You have signed. Other signers still need to sign.',
      signedDocumentUrls: Object.fromEntries(copies.map(({ id, signedDownloadUrl }) => [id, signedDownloadUrl])),
    }
  },
})
