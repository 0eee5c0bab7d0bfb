// The form of a seal's CMS. Its signature covers the attributes only: the list of certificates, the names of the algorithms and one of two s of
// ECDSA could be written in another way, and a second file would be valid. Since format 2 the attributes list every certificate, and all else is compared
// with what the service writes. Seals of format 1 are older and stay valid in any of these forms, because half of them have the higher s.
import { hasLowS } from '../ecdsa.ts'
import { encodeAttributes, encodeCms, encodeFixedParts } from '../encode-cms.ts'
import type { CertificateChain } from './build-chain.ts'
import type { Seal } from './find-seal.ts'
import type { Cms } from './read-cms.ts'

/** Whether a CMS whose signature verifies has the one form that its format allows. */
export function hasItsForm({ format, cms: encoded }: Pick<Seal, 'format' | 'cms'>, cms: Cms, chain: CertificateChain): boolean {
  const { signature, attributes, signatureAlgorithm } = cms
  if (format === 1 && attributes.signingCertificate.issuers === 0) return true
  const issuers = chain.issuers.map(({ der }) => der)
  const parts = encodeFixedParts({ signer: chain.signer, issuers, keyType: signatureAlgorithm.keyType })
  const written = encodeCms(parts, encodeAttributes(parts, attributes.messageDigest), signature)
  return written.equals(encoded) && (signatureAlgorithm.keyType === 'rsa' || hasLowS(signature, chain.signerKey))
}
