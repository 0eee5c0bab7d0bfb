// What the public check answers. Spec, "Verification result".
import type { SignatureVerdict } from '#core/seal/verify-signature.ts'
import { z } from 'zod'
import { DateTime, Uuid } from './scalars.ts'

export const VerificationResponse = z
  .object({
    valid: z.boolean(),
    message: z.string().describe('The result in one sentence.'),
    envelopeId: Uuid.optional(),
    signedAt: DateTime.optional(),
    signerEmail: z.string().optional(),
    signerName: z.string().optional(),
  })
  .meta({
    id: 'VerificationResponse',
    description:
      'Whether the signature is valid, who signed and when. For an unknown `id` or a wrong `h`, `valid` is false and these details are missing.',
  })

export function toVerificationResponse({ signedAt, ...verdict }: SignatureVerdict): z.output<typeof VerificationResponse> {
  return { ...verdict, ...(signedAt && { signedAt: signedAt.toISOString() }) }
}
