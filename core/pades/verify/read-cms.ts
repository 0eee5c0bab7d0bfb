// Reads the CMS of a seal (RFC 5652) as strictly as the service writes it: one signer, detached, DER throughout, no unsigned attributes,
// because unsigned parts could be changed unnoticed.
import { contextTag, der, derOid, TAG } from '../der.ts'
import { OID } from '../oid.ts'
import { DerError, type DerValue, openDer, readDer } from '../read-der.ts'
import { type DigestName, digestOf, type SignatureAlgorithm, signatureAlgorithmOf } from './algorithms.ts'
import { derOnlyChild, derSetMembers, expectDer } from './der-set.ts'
import { readSignedAttributes, type SignedAttributes } from './signed-attributes.ts'
import { VerifyError } from './verdict.ts'

export interface Cms extends SignerInfo {
  /** DER of each certificate, in file order. */
  readonly certificates: readonly Buffer[]
}

export interface SignerInfo {
  /** Raw DER of the Name and the INTEGER that identify the signer's certificate. */
  readonly issuer: Buffer
  readonly serial: Buffer
  readonly digest: DigestName
  readonly signatureAlgorithm: SignatureAlgorithm
  readonly attributes: SignedAttributes
  readonly signature: Buffer
}

const SIGNED_DATA = derOid(OID.signedData)
const DETACHED_CONTENT = der(TAG.sequence, derOid(OID.data))
// Version 1 of both structures: X.509 certificates, and a signer named by issuer and serial (5.1 and 5.3).
const VERSION_1 = der(TAG.integer, Buffer.from([1]))

/** Reads the CMS that fills `bytes`. Throws DerError for any other structure, VerifyError ALGORITHM_UNSUPPORTED. */
export function readCms(bytes: Buffer): Cms {
  const contentInfo = openDer(readDer(bytes, TAG.sequence))
  expectDer(contentInfo.take(TAG.oid), SIGNED_DATA)
  const signedData = openDer(readDer(contentInfo.take(contextTag(0)).body, TAG.sequence))
  contentInfo.end()
  expectDer(signedData.take(TAG.integer), VERSION_1)
  const digestAlgorithm = derOnlyChild(signedData.take(TAG.set))
  expectDer(signedData.take(TAG.sequence), DETACHED_CONTENT)
  const certificates = derSetMembers(signedData.take(contextTag(0)))
  const signerInfo = derOnlyChild(signedData.take(TAG.set))
  signedData.end()
  return { certificates: certificates.map(({ raw }) => raw), ...readSignerInfo(signerInfo, digestAlgorithm) }
}

function readSignerInfo(value: DerValue, digestAlgorithm: DerValue): SignerInfo {
  const info = openDer(readDer(value.raw, TAG.sequence))
  expectDer(info.take(TAG.integer), VERSION_1)
  const identifier = openDer(info.take(TAG.sequence))
  const issuer = identifier.take(TAG.sequence).raw
  const serial = identifier.take(TAG.integer).raw
  identifier.end()
  expectDer(info.take(TAG.sequence), digestAlgorithm.raw)
  const digest = digestOf(digestAlgorithm)
  const attributes = info.take(contextTag(0))
  const signatureAlgorithm = signatureAlgorithmOf(info.take(TAG.sequence))
  const signature = info.take(TAG.octetString).body
  info.end()
  if (digest === undefined || signatureAlgorithm === undefined) throw new VerifyError('ALGORITHM_UNSUPPORTED')
  if ((signatureAlgorithm.digest ?? digest) !== digest) throw new DerError('the two digests of the signer differ')
  return { issuer, serial, digest, signatureAlgorithm, signature, attributes: readSignedAttributes(attributes) }
}
