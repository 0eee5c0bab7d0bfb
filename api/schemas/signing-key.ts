// Signing keys. All of it is public: every sealed file contains it.
import { z } from 'zod'
import { DateTime } from './scalars.ts'

/** SHA-256 of the certificate; any other text matches no key. */
export const SigningKeyPath = z.object({ fingerprint: z.string().max(128).toLowerCase() })

export const SigningKeyResponse = z
  .object({
    fingerprint: z.string().describe('SHA-256 of the certificate, lower-case hex.'),
    subject: z.string(),
    issuer: z.string(),
    algorithm: z.string().describe('Key type and size, such as `ECDSA P-256`.'),
    notBefore: DateTime,
    notAfter: DateTime,
    origin: z.enum(['SELF_MADE', 'IMPORTED']),
    trust: z.string().describe('Who trusts seals made with this key, in one sentence.'),
    current: z.boolean().describe('True for the active key.'),
    sealingSince: DateTime.describe('When it was last made active.'),
    compromisedFrom: DateTime.optional().describe('Seals made from this time on are not trusted.'),
  })
  .meta({ id: 'SigningKeyResponse' })
export type SigningKeyResponse = z.output<typeof SigningKeyResponse>
