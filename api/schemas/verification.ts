// The result of the public signature check. Spec, "Verification result".
import { z } from 'zod'
import { DateTime, Uuid } from './scalars.ts'

export const VerificationResponse = z
  .object({
    valid: z.boolean(),
    message: z.string().describe('The verdict in a sentence.'),
    envelopeId: Uuid.optional(),
    signedAt: DateTime.optional(),
    signerEmail: z.string().optional(),
    signerName: z.string().optional(),
  })
  .meta({
    id: 'VerificationResponse',
    description:
      'Whether the signature holds, and who signed when. An unknown id and a wrong `h` are one answer: `valid` is false and nothing else is told.',
  })
export type VerificationResponse = z.output<typeof VerificationResponse>
