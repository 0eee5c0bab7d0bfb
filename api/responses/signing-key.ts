// A signing key, as answers hold it.
import type { SigningKeyRecord } from '#core/signing-key/list-signing-keys.ts'
import type { SigningKeyResponse } from '../schemas/signing-key.ts'

const TRUST = {
  SELF_MADE:
    'This installation made the key itself: PDF readers show its seals as intact, and as trusted once somebody has told them to trust its root certificate.',
  IMPORTED: 'The key was issued by somebody else: PDF readers that trust its issuer trust its seals.',
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
