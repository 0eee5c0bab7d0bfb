// Whether the certificate of a seal is trusted: it is pinned, or a chain leads from it to an anchor (RFC 5280 6.1, as far as a seal needs
// it). Everything is checked at the signing time, because a seal outlives its certificate.
import type { Certificate } from '../certificate.ts'
import { DerError } from '../read-der.ts'
import { EXTENSION, extensionKey, issuingDepth, purposesOf, readExtensions } from './extensions.ts'
import { type CertificateChain, isSignedBy } from './build-chain.ts'
import { isStrongKey, isStronglySigned } from './key-strength.ts'

/** Extensions that are checked here or do not restrict sealing; any other critical extension is an unchecked condition. */
const UNDERSTOOD: readonly string[] = Object.values(EXTENSION)

/** Purposes that include documents; a certificate for, say, a web server may not seal. */
const DOCUMENT_PURPOSES: readonly string[] = [
  '2.5.29.37.0', // any
  '1.3.6.1.5.5.7.3.4', // e-mail protection, S/MIME
  '1.3.6.1.5.5.7.3.36', // document signing, RFC 9336
  '1.3.6.1.4.1.311.10.3.12', // document signing, Microsoft
  '1.2.840.113583.1.1.5', // document signing, Adobe
].map(extensionKey)

/** True when the signer's certificate is in `trust`, or chains to a certificate in it that may issue certificates. */
export function isTrusted(chain: CertificateChain, trust: readonly Certificate[], at: Date): boolean {
  return trust.some((anchor) => anchor.der.equals(chain.signer.der) || leadsTo(chain, anchor, at))
}

/** Both ends included (RFC 5280 4.1.2.5). */
export function isInDate({ x509 }: Pick<Certificate, 'x509'>, at: Date): boolean {
  return x509.validFromDate <= at && at <= x509.validToDate
}

function leadsTo({ signer, issuers }: CertificateChain, anchor: Certificate, at: Date): boolean {
  const certificates = [signer, ...issuers]
  const top = certificates.findIndex((certificate) => isSignedBy(certificate, anchor))
  if (top < 0) return false
  const path = certificates.slice(0, top + 1)
  const above = [...path.slice(1), anchor]
  try {
    return (
      [...path, anchor].every((certificate) => isSound(certificate, at)) &&
      path.every(isStronglySigned) &&
      isForDocuments(signer) &&
      above.every((issuer, height) => mayIssue(issuer, above.slice(0, height)))
    )
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

function isSound(certificate: Certificate, at: Date): boolean {
  const extensions = readExtensions(certificate)
  const understood = [...extensions].every(([key, { critical }]) => !critical || UNDERSTOOD.includes(key))
  return understood && isInDate(certificate, at) && isStrongKey(certificate.x509.publicKey)
}

function isForDocuments(signer: Certificate): boolean {
  const purposes = purposesOf(readExtensions(signer))
  return purposes === undefined || purposes.some((purpose) => DOCUMENT_PURPOSES.includes(purpose))
}

/** `between` are the issuers below it; self-issued ones do not count (RFC 5280 4.2.1.9). */
function mayIssue(certificate: Certificate, between: readonly Certificate[]): boolean {
  const depth = issuingDepth(readExtensions(certificate))
  const counted = between.filter(({ issuer, subject }) => !issuer.equals(subject)).length
  return depth !== undefined && counted <= depth && certificate.keyUsage?.keyCertSign !== false
}
