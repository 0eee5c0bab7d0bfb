// Makes the CMS of a PAdES B-B signature (EN 319 142-1, RFC 5652): detached, one signer, no signing-time, signing-certificate-v2. A seal costs
// one hash and one native signature.
import { createHash, sign } from 'node:crypto'
import { Signer } from '@signpdf/utils'
import { readCertificate } from './certificate.ts'
import { der, TAG } from './der.ts'
import { signWithLowS } from './ecdsa.ts'
import { encodeAttributes, encodeCms, encodeFixedParts, type FixedParts, signedBytesOf } from './encode-cms.ts'
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
    this.#parts = encodeFixedParts({
      signer: readCertificate(key.certificate),
      issuers: key.chain,
      keyType: key.privateKey.asymmetricKeyType === 'rsa' ? 'rsa' : 'ec',
    })
    this.contentsBytes = encodeCms(this.#parts, encodeAttributes(this.#parts, Buffer.alloc(32)), longestSignature(key)).length
  }

  /** The CMS for a document whose byte range has this SHA-256. */
  signDigest(digest: Buffer): Buffer {
    const attributes = encodeAttributes(this.#parts, digest)
    const signature = signBytes(signedBytesOf(attributes), this.#key)
    return encodeCms(this.#parts, attributes, signature)
  }

  /** Required by @signpdf. Its signing time is ignored: PAdES does not allow one in the CMS. */
  override async sign(pdf: Buffer): Promise<Buffer> {
    return this.signDigest(createHash('sha256').update(pdf).digest())
  }
}

function signBytes(bytes: Buffer, { privateKey }: SigningKey): Buffer {
  return privateKey.asymmetricKeyType === 'rsa' ? sign('sha256', bytes, privateKey) : signWithLowS(bytes, privateKey)
}

function longestSignature({ privateKey }: SigningKey): Buffer {
  const { modulusLength, namedCurve } = privateKey.asymmetricKeyDetails ?? {}
  if (modulusLength !== undefined) return Buffer.alloc(Math.ceil(modulusLength / 8))
  // r has at most one leading zero octet; the lower s has none, because n is just below a power of 256.
  const octets = namedCurve === 'secp384r1' ? 48 : 32
  return der(TAG.sequence, der(TAG.integer, Buffer.alloc(1 + octets)), der(TAG.integer, Buffer.alloc(octets)))
}
