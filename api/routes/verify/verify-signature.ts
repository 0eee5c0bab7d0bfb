import { SignatureId } from '#core/ids.ts'
import { verifySignature } from '#core/seal/verify-signature.ts'
import { z } from 'zod'
import { definePublicRoute } from '../../http/define-route.ts'
import { text } from '../../schemas/text.ts'
import { toVerificationResponse } from '../../responses/verification.ts'
import { VerificationResponse } from '../../schemas/verification.ts'

export const verifySignatureRoute = definePublicRoute({
  operationId: 'verifyDocument',
  summary: 'Verify a signature',
  description:
    'Needs no credential. Verifies the sealed file with the hash `h`, or all sealed files of the signature for its code.',
  audience: 'public',
  method: 'get',
  path: '/api/v1/verify',
  params: z.object({}),
  rates: ['verify'],
  query: z.object({
    id: SignatureId.describe('The id printed in the seal.'),
    h: text(128).describe('The verification code printed in the seal, or the SHA-256 of a sealed file in 64 hex digits.'),
  }),
  success: 200,
  response: VerificationResponse,
  errors: [],
  handle: async ({ core, query }) => toVerificationResponse(await verifySignature(core, query.id, query.h)),
})
