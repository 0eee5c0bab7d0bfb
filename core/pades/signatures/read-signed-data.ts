// Reads the CMS of any product's signature (RFC 5652): BER, further attributes, further certificates. The strict reader for our own seals
// is ../verify/read-cms.ts.
import { contextTag, der, derOid, TAG } from '../der.ts'
import { OID } from '../oid.ts'
import { derChildren, DerError, type DerValue, openDer, readDer } from '../read-der.ts'
import { readBer } from './read-ber.ts'

export interface SignedData {
  /** The signed content; undefined when it is detached. */
  readonly content: Buffer | undefined
  /** DER, in file order. */
  readonly certificates: readonly Buffer[]
  readonly signer: SignerInfo
}

export interface SignerInfo {
  /** Raw DER of Name and INTEGER, or the subject key identifier. */
  readonly identifier: { readonly issuer: Buffer; readonly serial: Buffer } | { readonly keyId: Buffer }
  readonly digestAlgorithm: DerValue
  readonly signatureAlgorithm: DerValue
  readonly signature: Buffer
  /** Undefined when the content itself is signed. */
  readonly attributes: SignerAttributes | undefined
}

export interface SignerAttributes {
  /** The bytes that the signature covers (5.4). */
  readonly signedBytes: Buffer
  readonly messageDigest: Buffer
  readonly signingTime: DerValue | undefined
}

const SIGNED_DATA = derOid(OID.signedData)
const MESSAGE_DIGEST = derOid(OID.messageDigest)
const SIGNING_TIME = derOid('1.2.840.113549.1.9.5')
const KEY_IDENTIFIER = 0x80

/** Reads the CMS at the start of `bytes`, which padding may follow. Throws DerError. */
export function readSignedData(bytes: Buffer): SignedData {
  const contentInfo = openDer(readBer(bytes))
  if (!contentInfo.take(TAG.oid).raw.equals(SIGNED_DATA)) throw new DerError('this is no signed data')
  const signedData = openDer(readDer(contentInfo.take(contextTag(0)).body, TAG.sequence))
  signedData.take(TAG.integer)
  signedData.take(TAG.set)
  const encapsulated = openDer(signedData.take(TAG.sequence))
  encapsulated.take(TAG.oid)
  const content = encapsulated.takeIf(contextTag(0))
  const certificates = signedData.takeIf(contextTag(0))
  signedData.takeIf(contextTag(1))
  // A PDF signature has exactly one signer (ISO 32000-2, 12.8.3.3.1).
  const [signer, ...others] = derChildren(signedData.take(TAG.set))
  if (signer === undefined || others.length > 0) throw new DerError('there is not exactly one signer')
  return {
    content: content && readDer(content.body, TAG.octetString).body,
    certificates: (certificates ? derChildren(certificates) : []).filter(({ tag }) => tag === TAG.sequence).map(({ raw }) => raw),
    signer: readSigner(signer),
  }
}

function readSigner(value: DerValue): SignerInfo {
  const info = openDer(value)
  info.take(TAG.integer)
  const keyId = info.takeIf(KEY_IDENTIFIER)?.body
  const identifier = keyId === undefined ? readIssuerSerial(info.take(TAG.sequence)) : { keyId }
  const digestAlgorithm = info.take(TAG.sequence)
  const attributes = info.takeIf(contextTag(0))
  const signatureAlgorithm = info.take(TAG.sequence)
  const signature = info.take(TAG.octetString).body
  return {
    identifier,
    digestAlgorithm,
    signatureAlgorithm,
    signature,
    attributes: attributes && readAttributes(attributes),
  }
}

function readIssuerSerial(value: DerValue): { issuer: Buffer; serial: Buffer } {
  const cursor = openDer(value)
  return { issuer: cursor.take(TAG.sequence).raw, serial: cursor.take(TAG.integer).raw }
}

function readAttributes(set: DerValue): SignerAttributes {
  const digests = valuesOf(set, MESSAGE_DIGEST)
  const [digest] = digests
  // Two digests could each be right for another document.
  if (digest === undefined || digests.length > 1) throw new DerError('there is not exactly one message digest')
  return {
    signedBytes: der(TAG.set, set.body),
    messageDigest: readDer(digest.raw, TAG.octetString).body,
    signingTime: valuesOf(set, SIGNING_TIME)[0],
  }
}

function valuesOf(set: DerValue, type: Buffer): DerValue[] {
  return derChildren(set).flatMap((attribute) => {
    const cursor = openDer(attribute)
    return cursor.take(TAG.oid).raw.equals(type) ? derChildren(cursor.take(TAG.set)) : []
  })
}
