// The result of the public signature check. Spec, "Verification result".
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
export type VerificationResponse = z.output<typeof VerificationResponse>
