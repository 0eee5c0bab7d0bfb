// The certificates of a seal: the signer's, which the signature identifies by hash, and one unbroken chain above it. seal-form.ts checks that
// the signature lists the issuers too. NOTE: without the root in it, only a trusted issuer proves the last certificate genuine.
import { createHash, type KeyObject } from 'node:crypto'
import { type Certificate, certificateFingerprint, isIssuedBy, nameOnOneLine, readCertificate } from '../certificate.ts'
import { encodeIssuerSerial } from '../encode-cms.ts'
import { claimsOwnKey, readExtensions } from './extensions.ts'
import type { Cms } from './read-cms.ts'
import { type VerifiedCertificate, VerifyError } from './verdict.ts'

/** Follows from the certificates alone, whatever they have signed. */
export interface CertificateChain {
  readonly signer: Certificate
  readonly signerKey: KeyObject
  /** The signer's certificate for the verdict. */
  readonly description: VerifiedCertificate
  /** From the issuer of the signer's certificate upwards, each the issuer of the one before; a root at the end is self-signed. */
  readonly issuers: readonly Certificate[]
}

const MAX_CERTIFICATES = 10
const MAX_CACHED_CHAINS = 32
const MAX_CACHED_BYTES = 16 * 1024

/** Cached chains by their bytes: nearly all seals of an installation have the same one, and reading it is a third of a check. */
const cache = new Map<string, CertificateChain>()

/**
 * Reads and orders the certificates. Throws DerError, and VerifyError: CERTIFICATE_MISMATCH, CMS_MALFORMED for an unreadable certificate,
 * ALGORITHM_UNSUPPORTED for an unreadable signer's key.
 */
export function buildChain(cms: Cms): CertificateChain {
  if (cms.certificates.length > MAX_CERTIFICATES) throw new VerifyError('CMS_MALFORMED')
  // Each is a whole DER value, so different lists have different bytes.
  const bytes = Buffer.concat([cms.issuer, cms.serial, ...cms.certificates])
  const name = bytes.toString('latin1')
  const chain = cache.get(name) ?? readChain(cms)
  if (!matchesSigningCertificate(chain.signer, cms)) throw new VerifyError('CERTIFICATE_MISMATCH')
  if (bytes.length <= MAX_CACHED_BYTES) cacheChain(name, chain)
  return chain
}

function readChain({ certificates: encoded, issuer: wantedIssuer, serial: wantedSerial }: Cms): CertificateChain {
  // Copies, so that a cached chain does not cacheChain its file in memory.
  const certificates = encoded.map((bytes) => orMalformed(() => readCertificate(Buffer.from(bytes))))
  const signer = certificates.find(({ issuer, serial }) => issuer.equals(wantedIssuer) && serial.equals(wantedSerial))
  if (signer === undefined) throw new VerifyError('CERTIFICATE_MISMATCH')
  const issuers = orderIssuers(
    signer,
    certificates.filter((certificate) => certificate !== signer),
  )
  return { signer, signerKey: keyOf(signer), issuers, description: orMalformed(() => describe(signer)) }
}

/** Evicts the least recently used chain. */
function cacheChain(name: string, chain: CertificateChain): void {
  cache.delete(name)
  cache.set(name, chain)
  const [oldest] = cache.keys()
  if (cache.size > MAX_CACHED_CHAINS && oldest !== undefined) cache.delete(oldest)
}

function matchesSigningCertificate(signer: Certificate, { attributes: { signingCertificate } }: Cms): boolean {
  const { digest, hash, issuerSerial } = signingCertificate
  if (issuerSerial !== undefined && !issuerSerial.equals(encodeIssuerSerial(signer.issuer, signer.serial))) return false
  return createHash(digest).update(signer.der).digest().equals(hash)
}

function orderIssuers(signer: Certificate, others: readonly Certificate[]): Certificate[] {
  const issuers: Certificate[] = []
  let top = signer
  while (issuers.length < others.length) {
    const issuer = others.find((candidate) => !issuers.includes(candidate) && isSignedBy(top, candidate))
    if (issuer === undefined) throw new VerifyError('CERTIFICATE_MISMATCH')
    issuers.push(issuer)
    top = issuer
  }
  if (top !== signer && isRoot(top) && !isSignedBy(top, top)) throw new VerifyError('CERTIFICATE_MISMATCH')
  return issuers
}

// Names alone are not enough: a root with a changed issuer would look like a certificate whose issuer is missing.
function isRoot(certificate: Certificate): boolean {
  return certificate.issuer.equals(certificate.subject) || claimsOwnKey(readExtensions(certificate))
}

/** True when `issuer` has signed `certificate`; false also when OpenSSL can't use its key. */
export function isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
  try {
    return isIssuedBy(certificate, issuer)
  } catch {
    return false
  }
}

function keyOf({ x509 }: Certificate): KeyObject {
  try {
    return x509.publicKey
  } catch (error) {
    // NOTE: OpenSSL throws for unknown key types and for points that are not on their curve.
    throw new VerifyError('ALGORITHM_UNSUPPORTED', error)
  }
}

function describe({ der, x509 }: Certificate): VerifiedCertificate {
  const { validFromDate: notBefore, validToDate: notAfter } = x509
  if (Number.isNaN(notBefore.getTime()) || Number.isNaN(notAfter.getTime())) throw new RangeError('a date cannot be read')
  return {
    subject: nameOnOneLine(x509.subject),
    issuer: nameOnOneLine(x509.issuer),
    serial: x509.serialNumber.toLowerCase(),
    notBefore,
    notAfter,
    fingerprint: certificateFingerprint(der),
  }
}

// Any error counts: OpenSSL reports unreadable data by errors of many kinds.
function orMalformed<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new VerifyError('CMS_MALFORMED', error)
  }
}
