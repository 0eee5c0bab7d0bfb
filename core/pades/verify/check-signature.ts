// The cryptographic checks of a seal: one hash over the file, and one signature over the attributes that contain it.
import { createHash, type KeyObject, verify } from 'node:crypto'
import type { Certificate } from '../certificate.ts'
import { isSealKey } from './algorithms.ts'
import type { Cms } from './read-cms.ts'
import { type ByteRange, VerifyError } from './verdict.ts'

/** Whether message-digest equals the digest of the byte range. Hashes in place, without copying. */
export function digestMatches(bytes: Buffer, [start, length, next, rest]: ByteRange, { digest, attributes }: Cms): boolean {
  const hash = createHash(digest)
  hash.update(bytes.subarray(start, start + length)).update(bytes.subarray(next, next + rest))
  return hash.digest().equals(attributes.messageDigest)
}

/** Whether the key signed the attributes. Throws VerifyError ALGORITHM_UNSUPPORTED for a key that may not seal. */
export function signatureMatches(key: KeyObject, { digest, signatureAlgorithm, signature, attributes }: Cms): boolean {
  if (key.asymmetricKeyType !== signatureAlgorithm.keyType || !isSealKey(key)) throw new VerifyError('ALGORITHM_UNSUPPORTED')
  return verify(digest, attributes.signedBytes, key, signature)
}

/** RFC 5280 4.2.1.3: every use without the extension; with it, one of the two usages for documents (EN 319 412-2, 4.3.2). */
export function maySign({ keyUsage }: Certificate): boolean {
  return keyUsage === undefined || keyUsage.digitalSignature || keyUsage.nonRepudiation
}
