// The certificates that a seal carries: the signer's, which the signature names and binds by hash, and above it one unbroken chain.
// Nothing signs the list of the others, so one can be left out; but none can be changed or added, as far as the chain shows.
// NOTE: where the root is not in it, only a trusted issuer tells whether the last certificate is genuine.
import { createHash, type KeyObject } from 'node:crypto'
import { type Certificate, certificateFingerprint, isIssuedBy, nameOnOneLine, readCertificate } from '../certificate.ts'
import { claimsOwnKey, readExtensions } from './extensions.ts'
import type { Cms } from './read-cms.ts'
import { encodeIssuerSerial } from './signed-attributes.ts'
import { type VerifiedCertificate, VerifyError } from './verdict.ts'

/** What follows from the certificates alone, whatever they have signed. */
export interface CertificateChain {
  readonly signer: Certificate
  readonly signerKey: KeyObject
  /** The signer's certificate, as the verdict shows it. */
  readonly description: VerifiedCertificate
  /** From the issuer of the signer's certificate upwards, each one having issued the one before; a root at the end has signed itself. */
  readonly issuers: readonly Certificate[]
}

const MOST_CERTIFICATES = 10
const CHAINS_KEPT = 32
const MOST_BYTES_KEPT = 16 * 1024

/** The chains that were read last, by their bytes: nearly all seals of an installation carry the same one, and reading it is a third of a check. */
const kept = new Map<string, CertificateChain>()

/**
 * Reads and orders the certificates. Throws DerError, and VerifyError: CERTIFICATE_MISMATCH, CMS_MALFORMED for what is no certificate,
 * ALGORITHM_UNSUPPORTED when the signer's key can't be read.
 */
export function buildChain(cms: Cms): CertificateChain {
  if (cms.certificates.length > MOST_CERTIFICATES) throw new VerifyError('CMS_MALFORMED')
  // Each is a whole DER value, so no two lists look alike.
  const bytes = Buffer.concat([cms.issuer, cms.serial, ...cms.certificates])
  const name = bytes.toString('latin1')
  const chain = kept.get(name) ?? readChain(cms)
  if (!isBound(chain.signer, cms)) throw new VerifyError('CERTIFICATE_MISMATCH')
  if (bytes.length <= MOST_BYTES_KEPT) keep(name, chain)
  return chain
}

function readChain({ certificates: encoded, issuer: wantedIssuer, serial: wantedSerial }: Cms): CertificateChain {
  // Copies: a chain that is kept must not keep the file that it came with.
  const certificates = encoded.map((bytes) => orMalformed(() => readCertificate(Buffer.from(bytes))))
  const signer = certificates.find(({ issuer, serial }) => issuer.equals(wantedIssuer) && serial.equals(wantedSerial))
  if (signer === undefined) throw new VerifyError('CERTIFICATE_MISMATCH')
  const issuers = orderIssuers(
    signer,
    certificates.filter((certificate) => certificate !== signer),
  )
  return { signer, signerKey: keyOf(signer), issuers, description: orMalformed(() => describe(signer)) }
}

/** The one that was asked for longest ago makes room. */
function keep(name: string, chain: CertificateChain): void {
  kept.delete(name)
  kept.set(name, chain)
  const [oldest] = kept.keys()
  if (kept.size > CHAINS_KEPT && oldest !== undefined) kept.delete(oldest)
}

function isBound(signer: Certificate, { attributes: { signingCertificate } }: Cms): boolean {
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

// Not by its names alone: a root whose issuer was changed would pass for a certificate whose issuer is just not there.
function isRoot(certificate: Certificate): boolean {
  return certificate.issuer.equals(certificate.subject) || claimsOwnKey(readExtensions(certificate))
}

/** True when `issuer` names and has signed `certificate`; false also when OpenSSL can't use its key. */
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
    // NOTE: thrown for keys that OpenSSL does not know, and for points that are not on their curve.
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

// Whatever the reason: OpenSSL reports what it can't read by errors of many kinds.
function orMalformed<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new VerifyError('CMS_MALFORMED', error)
  }
}
