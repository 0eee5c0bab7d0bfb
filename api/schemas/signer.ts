// Signers. Spec, "Signer".
import { SIGNER_STATUSES } from '#core/envelope/signer/rules.ts'
import { z } from 'zod'
import { DateTime, Int32, Uuid } from './scalars.ts'
import { Email, SignerName, SignOrder } from './text.ts'

export const AddSignerBody = z
  .object({
    email: Email.describe('One address, without a display name.'),
    name: SignerName,
    signOrder: SignOrder.nullish()
      .transform((order) => order ?? undefined)
      .describe('Unique in the envelope. Absent: 1, 2, 3 in the order given, or the highest plus one for a signer added later.'),
  })
  .meta({ id: 'AddSignerRequest', description: 'A person who must sign.' })

export const SignerResponse = z
  .object({
    id: Uuid,
    email: z.string(),
    name: z.string(),
    signOrder: Int32.describe("Whose turn it is when signing is sequential, and the number in the seal's marker `{{signerN}}`."),
    status: z
      .enum(SIGNER_STATUSES)
      .describe(
        'PENDING: not mailed yet. SENT: has a link. VIEWED: has opened the documents. SIGNED, EXPIRED, CANCELLED: final.',
      ),
    signedAt: DateTime.nullable(),
  })
  .meta({ id: 'SignerResponse', description: 'A signer of an envelope.' })
export type SignerResponse = z.output<typeof SignerResponse>
