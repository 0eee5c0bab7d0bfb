// The signed attributes of a seal: exactly content-type, message-digest and signing-certificate-v2 (EN 319 142-1, 6.3). The signing time is
// in the PDF; an unknown attribute could mean anything and is refused.
import { der, derOid, TAG } from '../der.ts'
import { OID } from '../oid.ts'
import { derChildren, DerError, type DerValue, openDer } from '../read-der.ts'
import { type DigestName, digestOf } from './algorithms.ts'
import { derOnlyChild, derSetMembers, expectDer } from './der-set.ts'
import { VerifyError } from './verdict.ts'

export interface SignedAttributes {
  readonly messageDigest: Buffer
  readonly signingCertificate: SigningCertificate
  /** The bytes that the signature covers: the attributes as SET OF, although they are stored under [0] IMPLICIT (RFC 5652 5.4). */
  readonly signedBytes: Buffer
}

/** The content of signing-certificate-v2 (RFC 5035 4). */
export interface SigningCertificate {
  readonly digest: DigestName
  readonly hash: Buffer
  /** Raw DER of IssuerSerial; undefined when absent. */
  readonly issuerSerial: Buffer | undefined
  /** How many certificates are listed behind the signer's. */
  readonly issuers: number
}

const CONTENT_TYPE = derOid(OID.contentType)
const MESSAGE_DIGEST = derOid(OID.messageDigest)
const SIGNING_CERTIFICATE_V2 = derOid(OID.signingCertificateV2)
const DATA = derOid(OID.data)
const ATTRIBUTE_COUNT = 3

/** Reads `[0] IMPLICIT SET OF Attribute`. Throws DerError, or VerifyError for a digest that a seal may not use. */
export function readSignedAttributes(value: DerValue): SignedAttributes {
  const attributes = derSetMembers(value).map(readAttribute)
  if (attributes.length !== ATTRIBUTE_COUNT) throw new DerError('the signed attributes are not those of a seal')
  expectDer(valueOf(attributes, CONTENT_TYPE, TAG.oid), DATA)
  const messageDigest = valueOf(attributes, MESSAGE_DIGEST, TAG.octetString).body
  const signingCertificate = readSigningCertificate(valueOf(attributes, SIGNING_CERTIFICATE_V2, TAG.sequence))
  return { messageDigest, signingCertificate, signedBytes: der(TAG.set, value.body) }
}

interface Attribute {
  readonly type: Buffer
  readonly value: DerValue
}

function readAttribute(attribute: DerValue): Attribute {
  if (attribute.tag !== TAG.sequence) throw new DerError('an attribute is no sequence')
  const cursor = openDer(attribute)
  const type = cursor.take(TAG.oid).raw
  const value = derOnlyChild(cursor.take(TAG.set))
  cursor.end()
  return { type, value }
}

function valueOf(attributes: readonly Attribute[], type: Buffer, tag: number): DerValue {
  const attribute = attributes.find((candidate) => candidate.type.equals(type))
  if (attribute?.value.tag !== tag) throw new DerError('a signed attribute is missing')
  return attribute.value
}

// CAdES allows no policies here; the first certificate is the signer's.
function readSigningCertificate(value: DerValue): SigningCertificate {
  const certificates = openDer(value)
  const [own, ...issuers] = derChildren(certificates.take(TAG.sequence))
  certificates.end()
  if (own === undefined) throw new DerError('no certificate is listed')
  const certificateId = openDer(own)
  const digest = readHashAlgorithm(certificateId.takeIf(TAG.sequence))
  const hash = certificateId.take(TAG.octetString).body
  const issuerSerial = certificateId.takeIf(TAG.sequence)?.raw
  certificateId.end()
  return { digest, hash, issuerSerial, issuers: issuers.length }
}

function readHashAlgorithm(value: DerValue | undefined): DigestName {
  if (value === undefined) return 'sha256'
  const digest = digestOf(value)
  if (digest === undefined) throw new VerifyError('ALGORITHM_UNSUPPORTED')
  // DER omits default values (X.690 11.5).
  if (digest === 'sha256') throw new DerError('a default value is written out')
  return digest
}
