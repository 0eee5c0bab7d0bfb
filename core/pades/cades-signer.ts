// The CMS of a PAdES B-B signature (EN 319 142-1, RFC 5652): detached, one signer, no signing-time, signing-certificate-v2. Everything that
// does not depend on the document is encoded once per key; a seal then costs one hash and one native signature.
import { createHash, sign } from 'node:crypto'
import { Signer } from '@signpdf/utils'
import { readCertificate } from './certificate.ts'
import { contextTag, der, derOid, derSetOf, derSmallInteger, TAG } from './der.ts'
import { OID } from './oid.ts'
import type { SigningKey } from './signing-key.ts'

/** Signs digests with one key for the life of a thread. As a @signpdf Signer it also signs a whole buffer. */
export class CadesSigner extends Signer {
  readonly #key: SigningKey
  readonly #parts: FixedParts
  /** Size of the largest CMS that this key can produce: exact for RSA; an ECDSA signature may be a few bytes shorter. */
  readonly contentsBytes: number

  constructor(key: SigningKey) {
    super()
    this.#key = key
    this.#parts = encodeFixedParts(key)
    this.contentsBytes = encodeCms(this.#parts, encodeAttributes(this.#parts, Buffer.alloc(32)), longestSignature(key)).length
  }

  /** The CMS for a document whose byte range has this SHA-256. */
  signDigest(digest: Buffer): Buffer {
    const attributes = encodeAttributes(this.#parts, digest)
    // RFC 5652 5.4: the signature covers the attributes as SET OF, although they are stored under [0] IMPLICIT.
    const signature = sign('sha256', derSetOf(TAG.set, attributes), this.#key.privateKey)
    return encodeCms(this.#parts, attributes, signature)
  }

  /** Required by @signpdf. Its signing time is ignored: PAdES does not allow one in the CMS. */
  override async sign(pdf: Buffer): Promise<Buffer> {
    return this.signDigest(createHash('sha256').update(pdf).digest())
  }
}

interface FixedParts {
  contentType: Buffer
  signingCertificate: Buffer
  signerIdentifier: Buffer
  signatureAlgorithm: Buffer
  certificates: Buffer
}

const NULL = der(TAG.null)
const SHA256 = der(TAG.sequence, derOid(OID.sha256))
const DETACHED_CONTENT = der(TAG.sequence, derOid(OID.data))

function encodeFixedParts(key: SigningKey): FixedParts {
  const { issuer, serial } = readCertificate(key.certificate)
  const certHash = createHash('sha256').update(key.certificate).digest()
  // IssuerSerial ::= SEQUENCE { issuer GeneralNames, serialNumber }; directoryName is [4] (RFC 5035 4).
  const issuerSerial = der(TAG.sequence, der(TAG.sequence, der(contextTag(4), issuer)), serial)
  const essCertId = der(TAG.sequence, der(TAG.octetString, certHash), issuerSerial)
  const isRsa = key.privateKey.asymmetricKeyType === 'rsa'
  return {
    contentType: encodeAttribute(OID.contentType, derOid(OID.data)),
    signingCertificate: encodeAttribute(OID.signingCertificateV2, der(TAG.sequence, der(TAG.sequence, essCertId))),
    signerIdentifier: der(TAG.sequence, issuer, serial),
    signatureAlgorithm: isRsa
      ? der(TAG.sequence, derOid(OID.rsaEncryption), NULL)
      : der(TAG.sequence, derOid(OID.ecdsaWithSha256)),
    certificates: derSetOf(contextTag(0), [key.certificate, ...key.chain]),
  }
}

function encodeAttributes(parts: FixedParts, digest: Buffer): Buffer[] {
  return [parts.contentType, parts.signingCertificate, encodeAttribute(OID.messageDigest, der(TAG.octetString, digest))]
}

function encodeAttribute(type: string, value: Buffer): Buffer {
  return der(TAG.sequence, derOid(type), der(TAG.set, value))
}

function encodeCms(parts: FixedParts, attributes: readonly Buffer[], signature: Buffer): Buffer {
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

function longestSignature({ privateKey }: SigningKey): Buffer {
  const { modulusLength, namedCurve } = privateKey.asymmetricKeyDetails ?? {}
  if (modulusLength !== undefined) return Buffer.alloc(Math.ceil(modulusLength / 8))
  // ECDSA-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }, each with at most one leading zero octet.
  const integer = der(TAG.integer, Buffer.alloc(1 + (namedCurve === 'secp384r1' ? 48 : 32)))
  return der(TAG.sequence, integer, integer)
}
