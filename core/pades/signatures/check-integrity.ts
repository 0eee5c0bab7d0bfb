// Whether a signature's own bytes are still what it signed, and whether the key of its certificate made it. Who issued the certificate does
// not matter here. What cannot be checked does not count as intact, and says so.
import type { ByteSource } from '#core/pdf/read/byte-source.ts'
import type { PdfFile } from '#core/pdf/read/pdf-file.ts'
import { isName, type PdfDict } from '#core/pdf/read/value.ts'
import type { SignedPart } from '#core/pdf/revisions/signed-revision.ts'
import { type Certificate, readCertificate } from '../certificate.ts'
import { TAG } from '../der.ts'
import { DerError, readDer } from '../read-der.ts'
import { isSignedBy } from '../verify/build-chain.ts'
import { EXTENSION, readExtensions } from '../verify/extensions.ts'
import { readSignedData, type SignedData } from './read-signed-data.ts'
import { digestNameOf, isSignedBy as isMadeBy, newDigest, signatureCheckOf } from './signature-algorithms.ts'
import { readTimeStamp } from './time-stamp.ts'

export interface Integrity {
  readonly intact: boolean
  /** A clause: "the signed bytes were changed"; absent when intact. */
  readonly problem?: string
  /** Absent when the signature cannot be read. */
  readonly signer?: Certificate
  /** The other certificates in the signature that have issued the signer's; only when intact. */
  readonly issuers?: readonly Certificate[]
  /** Signing time as the CMS states it. */
  readonly signedAt?: Date
}

const CHUNK_BYTES = 1024 * 1024
const UNKNOWN_ALGORITHM = 'it uses an algorithm that cannot be checked here'
const CHANGED = 'the signed bytes were changed'
const UNREADABLE = 'it is damaged'

/** Checks the signature in `dict`. Throws only what reading the file throws. */
export function checkIntegrity(file: PdfFile, dict: PdfDict, signed: SignedPart): Integrity {
  try {
    return check(file.source, file.resolve(dict.entries.get('SubFilter')), signed)
  } catch (error) {
    if (error instanceof DerError || isCryptoError(error)) return { intact: false, problem: UNREADABLE }
    throw error
  }
}

function check(source: ByteSource, kind: ReturnType<PdfFile['resolve']>, signed: SignedPart): Integrity {
  const data = readSignedData(signed.contents)
  const signer = findSigner(data)
  if (signer === undefined) return { intact: false, problem: 'its certificate is missing' }
  if (isName(kind, 'ETSI.RFC3161')) return checkTimeStamp(source, signed, data, signer)
  // The content of this old kind is the SHA-1 of the document (ISO 32000-1, 12.8.3.3.1).
  if (isName(kind, 'adbe.pkcs7.sha1')) {
    const isSame = data.content?.equals(digestOf('sha1', signedPieces(source, signed))) === true
    return isSame ? checkSigner(data, signer, [data.content ?? Buffer.alloc(0)]) : { intact: false, problem: CHANGED, signer }
  }
  const isKnown = isName(kind, 'adbe.pkcs7.detached') || isName(kind, 'ETSI.CAdES.detached')
  if (!isKnown) return { intact: false, problem: 'it is of a kind that cannot be checked here', signer }
  if (data.content !== undefined) return { intact: false, problem: UNREADABLE, signer }
  return checkSigner(data, signer, signedPieces(source, signed))
}

function checkTimeStamp(source: ByteSource, signed: SignedPart, data: SignedData, signer: Certificate): Integrity {
  if (data.content === undefined) return { intact: false, problem: UNREADABLE, signer }
  const { digestAlgorithm, digest, time } = readTimeStamp(data.content)
  const name = digestNameOf(digestAlgorithm)
  if (name === undefined) return { intact: false, problem: UNKNOWN_ALGORITHM, signer }
  if (!digestOf(name, signedPieces(source, signed)).equals(digest)) return { intact: false, problem: CHANGED, signer }
  return { ...checkSigner(data, signer, [data.content]), ...(time && { signedAt: time }) }
}

/** `content` is what the CMS is about: the signed bytes, or what it contains. */
function checkSigner({ certificates, signer: info }: SignedData, signer: Certificate, content: Iterable<Buffer>): Integrity {
  const contentDigest = digestNameOf(info.digestAlgorithm)
  const method = signatureCheckOf(info.signatureAlgorithm)
  if (contentDigest === undefined || method === undefined) return { intact: false, problem: UNKNOWN_ALGORITHM, signer }
  const { attributes, signature } = info
  if (attributes !== undefined && !digestOf(contentDigest, content).equals(attributes.messageDigest)) {
    return { intact: false, problem: CHANGED, signer }
  }
  const pieces = attributes === undefined ? content : [attributes.signedBytes]
  const isGenuine = isMadeBy(signer.x509.publicKey, method, { contentDigest, pieces, signature })
  return isGenuine
    ? { intact: true, signer, issuers: issuersOf(signer, certificates) }
    : { intact: false, problem: 'it was not made with the key of its certificate', signer }
}

function issuersOf(signer: Certificate, certificates: SignedData['certificates']): Certificate[] {
  const others = certificates.map((bytes) => readCertificate(Buffer.from(bytes))).filter(({ der }) => !der.equals(signer.der))
  return others.filter((other) => isSignedBy(signer, other))
}

function findSigner({ certificates, signer: { identifier } }: SignedData): Certificate | undefined {
  const read = certificates.map((bytes) => readCertificate(Buffer.from(bytes)))
  if (!('keyId' in identifier)) {
    return read.find(({ issuer, serial }) => issuer.equals(identifier.issuer) && serial.equals(identifier.serial))
  }
  return read.find((certificate) => {
    const own = readExtensions(certificate).get(EXTENSION.subjectKeyIdentifier)
    return own !== undefined && readDer(own.value, TAG.octetString).body.equals(identifier.keyId)
  })
}

function* signedPieces(source: ByteSource, { gapStart, gapEnd, end }: SignedPart): Generator<Buffer> {
  for (let at = 0; at < gapStart; at += CHUNK_BYTES) yield source.read(at, Math.min(at + CHUNK_BYTES, gapStart))
  for (let at = gapEnd; at < end; at += CHUNK_BYTES) yield source.read(at, Math.min(at + CHUNK_BYTES, end))
}

function digestOf(name: string, pieces: Iterable<Buffer>): Buffer {
  const hash = newDigest(name)
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

/** OpenSSL reports unreadable certificates, keys and signatures by errors with a code, some old ones by their text only. */
function isCryptoError(error: unknown): boolean {
  if (error instanceof Error && error.message.startsWith('error:')) return true
  return error instanceof Error && 'code' in error && /^ERR_(?:OSSL|CRYPTO)/.test(String(error.code))
}
