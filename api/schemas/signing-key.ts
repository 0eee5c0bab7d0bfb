// The wire shape of the keys that seal. Everything here is public: it stands in every sealed file.
import type { SigningKeyRecord } from '#core/signing-key/list-signing-keys.ts'
import { z } from 'zod'
import { DateTime } from './scalars.ts'

/** SHA-256 of the certificate; any other text names no key. */
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

const TRUST = {
  SELF_MADE:
    'This installation made the key itself: PDF readers show its seals as intact, and as trusted once somebody has told them to trust its root certificate.',
  IMPORTED: 'The key was issued by somebody else: PDF readers that trust its issuer trust its seals.',
} as const

export function toSigningKeyResponse(key: SigningKeyRecord): z.input<typeof SigningKeyResponse> {
  const { fingerprint, subject, issuer, algorithm, notBefore, notAfter, origin, isCurrent, sealingSince, compromisedFrom } = key
  return {
    fingerprint,
    subject,
    issuer,
    algorithm,
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    origin,
    trust: TRUST[origin],
    current: isCurrent,
    sealingSince: sealingSince.toISOString(),
    ...(compromisedFrom && { compromisedFrom: compromisedFrom.toISOString() }),
  }
}
