// A signing key, as answers hold it.
import type { SigningKeyRecord } from '#core/signing-key/list-signing-keys.ts'
import type { SigningKeyResponse } from '../schemas/signing-key.ts'

const TRUST = {
  SELF_MADE:
    'A self-signed key of this installation. PDF readers show its seals as intact, and as trusted after its root certificate was added to their trusted certificates.',
  IMPORTED: 'A key with a certificate of another issuer. PDF readers that trust the issuer trust its seals.',
} as const

export function toSigningKeyResponse(key: SigningKeyRecord): SigningKeyResponse {
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
