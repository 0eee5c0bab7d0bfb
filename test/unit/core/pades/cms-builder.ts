// Builds the CMS of a seal: valid by default, invalid in the parts that a test replaces.
import { createHash, sign } from 'node:crypto'
import { readCertificate } from '#core/pades/certificate.ts'
import { contextTag, der, derOid, derSetOf, TAG } from '#core/pades/der.ts'
import { OID } from '#core/pades/oid.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'

export const NULL = der(TAG.null)
export const SHA = {
  sha1: '1.3.14.3.2.26',
  sha256: OID.sha256,
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
} as const
type Hash = keyof typeof SHA

const ECDSA: Readonly<Record<Hash, string>> = {
  sha1: '1.2.840.10045.4.1',
  sha256: OID.ecdsaWithSha256,
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
}

export interface CmsParts {
  hash: Hash
  version: number
  digestAlgorithms: Buffer[]
  content: Buffer
  certificates: Buffer[]
  /** Whether the sets are written in DER order. */
  orderedCertificates: boolean
  orderedAttributes: boolean
  behindCertificates: Buffer
  signerVersion: number
  identifier: Buffer
  signerDigestAlgorithm: Buffer
  attributes: Buffer[]
  signatureAlgorithm: Buffer
  /** The bytes that the signature covers; by default the attributes as SET. */
  signed: Buffer
  signature: Buffer
  behindSignature: Buffer
  afterSigners: Buffer
  /** Number of times the one signer is listed. */
  signers: number
}

/** The attributes of a seal by name, so that tests can leave one out or change it. */
export function attributesOf({ certificate }: SigningKey, digest: Buffer) {
  return {
    contentType: attribute(OID.contentType, derOid(OID.data)),
    messageDigest: attribute(OID.messageDigest, der(TAG.octetString, digest)),
    signingCertificate: signingCertificate(essCertificate(certificate)),
  }
}

export function attribute(oid: string, ...values: Buffer[]): Buffer {
  return der(TAG.sequence, derOid(oid), der(TAG.set, ...values))
}

export function signingCertificate(...certificates: Buffer[]): Buffer {
  return attribute(OID.signingCertificateV2, der(TAG.sequence, der(TAG.sequence, ...certificates)))
}

/** ESSCertIDv2; `name` is the certificate in IssuerSerial, null for none. */
export function essCertificate(certificate: Buffer, hash: Hash = 'sha256', name: Buffer | null = certificate): Buffer {
  const algorithm = hash === 'sha256' ? [] : [digestAlgorithm(hash)]
  const certHash = der(TAG.octetString, createHash(hash).update(certificate).digest())
  if (name === null) return der(TAG.sequence, ...algorithm, certHash)
  const { issuer, serial } = readCertificate(name)
  const issuerSerial = der(TAG.sequence, der(TAG.sequence, der(contextTag(4), issuer)), serial)
  return der(TAG.sequence, ...algorithm, certHash, issuerSerial)
}

export function digestAlgorithm(hash: Hash): Buffer {
  return der(TAG.sequence, derOid(SHA[hash]))
}

export function identifierOf(certificate: Buffer): Buffer {
  const { issuer, serial } = readCertificate(certificate)
  return der(TAG.sequence, issuer, serial)
}

/** The CMS of `key` over a document with this digest. */
export function buildCms(key: SigningKey, digest: Buffer, changes: Partial<CmsParts> = {}): Buffer {
  const parts = { ...defaultParts(key, digest, changes.hash ?? 'sha256'), ...changes }
  const attributesAs = (tag: number) => setOf(tag, parts.attributes, parts.orderedAttributes)
  const signed = changes.signed ?? attributesAs(TAG.set)
  const signature = changes.signature ?? sign(parts.hash, signed, key.privateKey)
  const signerInfo = der(
    TAG.sequence,
    der(TAG.integer, Buffer.from([parts.signerVersion])),
    parts.identifier,
    parts.signerDigestAlgorithm,
    attributesAs(contextTag(0)),
    parts.signatureAlgorithm,
    der(TAG.octetString, signature),
    parts.behindSignature,
  )
  const signedData = der(
    TAG.sequence,
    der(TAG.integer, Buffer.from([parts.version])),
    der(TAG.set, ...parts.digestAlgorithms),
    parts.content,
    setOf(contextTag(0), parts.certificates, parts.orderedCertificates),
    parts.behindCertificates,
    der(TAG.set, ...Array.from({ length: parts.signers }, () => signerInfo)),
    parts.afterSigners,
  )
  return der(TAG.sequence, derOid(OID.signedData), der(contextTag(0), signedData))
}

function setOf(tag: number, values: readonly Buffer[], ordered: boolean): Buffer {
  return ordered ? derSetOf(tag, values) : der(tag, ...values)
}

function defaultParts(key: SigningKey, digest: Buffer, hash: Hash): Omit<CmsParts, 'signed' | 'signature'> {
  const isRsa = key.privateKey.asymmetricKeyType === 'rsa'
  return {
    hash,
    version: 1,
    digestAlgorithms: [digestAlgorithm(hash)],
    content: der(TAG.sequence, derOid(OID.data)),
    certificates: [key.certificate, ...key.chain],
    orderedCertificates: true,
    orderedAttributes: true,
    behindCertificates: Buffer.alloc(0),
    signerVersion: 1,
    identifier: identifierOf(key.certificate),
    signerDigestAlgorithm: digestAlgorithm(hash),
    attributes: Object.values(attributesOf(key, digest)),
    signatureAlgorithm: isRsa ? der(TAG.sequence, derOid(OID.rsaEncryption), NULL) : der(TAG.sequence, derOid(ECDSA[hash])),
    behindSignature: Buffer.alloc(0),
    afterSigners: Buffer.alloc(0),
    signers: 1,
  }
}
