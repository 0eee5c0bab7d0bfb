// Signers. Spec, "Signer".
import { SIGNER_STATUSES } from '#core/envelope/signer/rules.ts'
import { z } from 'zod'
import { DateTime, Int32, Uuid } from './scalars.ts'
import { Email, SignerName, SignOrder } from './text.ts'

export const AddSignerBody = z
  .object({
    email: Email.describe('An email address without a display name.'),
    name: SignerName,
    signOrder: SignOrder.nullish()
      .transform((order) => order ?? undefined)
      .describe(
        'Unique in the envelope. Without it, signers are numbered 1, 2, 3 in the given order; a signer added later gets the highest number plus one.',
      ),
  })
  .meta({ id: 'AddSignerRequest', description: 'A person who must sign.' })

export const SignerResponse = z
  .object({
    id: Uuid,
    email: z.string(),
    name: z.string(),
    signOrder: Int32.describe('The position in sequential signing, and the N of the marker `{{signerN}}`.'),
    status: z
      .enum(SIGNER_STATUSES)
      .describe(
        'PENDING: not emailed yet. SENT: has a link. VIEWED: has opened the documents. SIGNED, EXPIRED, CANCELLED: final.',
      ),
    signedAt: DateTime.nullable(),
  })
  .meta({ id: 'SignerResponse', description: 'A signer of an envelope.' })
export type SignerResponse = z.output<typeof SignerResponse>
