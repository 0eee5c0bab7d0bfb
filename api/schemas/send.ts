// The response of sendEnvelope, the only one that shows signing tokens. Decisions, "Send, completion, verification".
import { z } from 'zod'
import { DateTime, Int32, Uuid } from './scalars.ts'

const SigningToken = z
  .object({
    signerId: Uuid,
    email: z.string(),
    name: z.string(),
    signOrder: Int32,
    token: z.string().describe('The credential of this signer: a secret.'),
    signingUrl: z.url().describe("The page of this signer's ceremony; holds the token."),
    expiresAt: DateTime.nullable().describe('Null while another signer has to sign first: a link lives from its own mail on.'),
  })
  .meta({ id: 'SigningToken', description: "A signer's link." })

export const SendResponse = z
  .object({ envelopeId: Uuid, status: z.literal('SENT'), signingTokens: z.array(SigningToken) })
  .meta({ id: 'SendResponse', description: 'The envelope as sent, with the signing tokens of its signers.' })
export type SendResponse = z.output<typeof SendResponse>
