// What the rows say of a key that was opened.
import { readCertificate } from '#core/pades/certificate.ts'
import { type SigningKey, signingKeyFingerprint, toPemCertificate } from '#core/pades/signing-key.ts'
import type { OpenedCertificate } from './version-store.ts'

/** The public parts of the key. */
export function toOpenedCertificate(key: Pick<SigningKey, 'certificate' | 'chain'>): OpenedCertificate {
  const { certificate, chain } = key
  return {
    fingerprint: signingKeyFingerprint(key),
    certificate,
    chain: chain.map(toPemCertificate).join(''),
    notAfter: readCertificate(certificate).x509.validToDate,
  }
}
