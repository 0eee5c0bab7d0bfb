// The response of sendEnvelope, the only one that shows signing tokens. Decisions, "Send, completion, verification".
import { z } from 'zod'
import { DateTime, Int32, Uuid } from './scalars.ts'

const SigningToken = z
  .object({
    signerId: Uuid,
    email: z.string(),
    name: z.string(),
    signOrder: Int32,
    token: z.string().describe('The credential of this signer. Treat it as a secret.'),
    signingUrl: z.url().describe('The signing page of this signer. Contains the token.'),
    expiresAt: DateTime.nullable().describe('Null until this signer is emailed, because the time starts with the email.'),
  })
  .meta({ id: 'SigningToken', description: 'The link of a signer.' })

export const SendResponse = z
  .object({ envelopeId: Uuid, status: z.literal('SENT'), signingTokens: z.array(SigningToken) })
  .meta({ id: 'SendResponse', description: 'The sent envelope with the signing tokens of its signers.' })
export type SendResponse = z.output<typeof SendResponse>
