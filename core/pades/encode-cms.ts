// The CMS of a seal as bytes: what CadesSigner writes, and what the verifier compares with. Everything that does not depend on the document is
// encoded once per key.
import { createHash } from 'node:crypto'
import type { Certificate } from './certificate.ts'
import { contextTag, der, derOid, derSetOf, derSmallInteger, TAG } from './der.ts'
import { OID } from './oid.ts'

export interface SealCertificates {
  readonly signer: Pick<Certificate, 'der' | 'issuer' | 'serial'>
  /** DER, from the issuer of the signer's certificate upwards, as far as known. */
  readonly issuers: readonly Buffer[]
  readonly keyType: 'rsa' | 'ec'
}

export interface FixedParts {
  readonly contentType: Buffer
  readonly signingCertificate: Buffer
  readonly signerIdentifier: Buffer
  readonly signatureAlgorithm: Buffer
  readonly certificates: Buffer
}

const NULL = der(TAG.null)
const SHA256 = der(TAG.sequence, derOid(OID.sha256))
const DETACHED_CONTENT = der(TAG.sequence, derOid(OID.data))

export function encodeFixedParts({ signer, issuers, keyType }: SealCertificates): FixedParts {
  return {
    contentType: encodeAttribute(OID.contentType, derOid(OID.data)),
    signingCertificate: encodeSigningCertificate(signer, issuers),
    signerIdentifier: der(TAG.sequence, signer.issuer, signer.serial),
    signatureAlgorithm:
      keyType === 'rsa' ? der(TAG.sequence, derOid(OID.rsaEncryption), NULL) : der(TAG.sequence, derOid(OID.ecdsaWithSha256)),
    certificates: derSetOf(contextTag(0), [signer.der, ...issuers]),
  }
}

/** The signed attributes of a document with this digest. */
export function encodeAttributes({ contentType, signingCertificate }: FixedParts, digest: Buffer): Buffer[] {
  return [contentType, signingCertificate, encodeAttribute(OID.messageDigest, der(TAG.octetString, digest))]
}

/** What the signature covers: the attributes as SET OF, although they are stored under [0] IMPLICIT (RFC 5652 5.4). */
export function signedBytesOf(attributes: readonly Buffer[]): Buffer {
  return derSetOf(TAG.set, attributes)
}

export function encodeCms(parts: FixedParts, attributes: readonly Buffer[], signature: Buffer): Buffer {
  const version = derSmallInteger(1)
  const signerInfo = der(
    TAG.sequence,
    version,
    parts.signerIdentifier,
    SHA256,
    derSetOf(contextTag(0), attributes),
    parts.signatureAlgorithm,
    der(TAG.octetString, signature),
  )
  const signedData = der(
    TAG.sequence,
    version,
    der(TAG.set, SHA256),
    DETACHED_CONTENT,
    parts.certificates,
    der(TAG.set, signerInfo),
  )
  return der(TAG.sequence, derOid(OID.signedData), der(contextTag(0), signedData))
}

/** Raw DER of an IssuerSerial (RFC 5035 4): its one GeneralName is directoryName, [4]. */
export function encodeIssuerSerial(issuer: Buffer, serial: Buffer): Buffer {
  return der(TAG.sequence, der(TAG.sequence, der(contextTag(4), issuer)), serial)
}

// RFC 5035 3: the signer's certificate first; the issuers behind it limit the certificates that may be used. Without them one could be left
// out of the CMS, or added, because the CMS does not sign its certificates.
function encodeSigningCertificate({ der: own, issuer, serial }: SealCertificates['signer'], issuers: readonly Buffer[]): Buffer {
  const ids = [
    der(TAG.sequence, encodeHash(own), encodeIssuerSerial(issuer, serial)),
    ...issuers.map((certificate) => der(TAG.sequence, encodeHash(certificate))),
  ]
  return encodeAttribute(OID.signingCertificateV2, der(TAG.sequence, der(TAG.sequence, ...ids)))
}

/** certHash of ESSCertIDv2; SHA-256 is the default algorithm and not written. */
function encodeHash(certificate: Buffer): Buffer {
  return der(TAG.octetString, createHash('sha256').update(certificate).digest())
}

function encodeAttribute(type: string, value: Buffer): Buffer {
  return der(TAG.sequence, derOid(type), der(TAG.set, value))
}
