// The algorithms of other products' signatures. SHA-1 is accepted: finding another document for an existing signature would need a second
// preimage, and old contracts have it. MD5 and everything unknown cannot be checked, so such a signature does not count as intact.
import { constants, createHash, createVerify, type Hash, type KeyObject, verify } from 'node:crypto'
import { contextTag, derOid, TAG } from '../der.ts'
import { type DerValue, openDer, readDer } from '../read-der.ts'

/** How a signature value is checked; `digest` is null where the algorithm hashes by itself. */
export interface SignatureCheck {
  readonly keyTypes: readonly string[]
  /** undefined: as the CMS names it. */
  readonly digest: string | null | undefined
  readonly padding?: { readonly padding: number; readonly saltLength: number }
}

const DIGESTS = byOid({
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  '2.16.840.1.101.3.4.2.12': 'shake256',
  '2.16.840.1.101.3.4.2.18': 'shake256',
})

const RSA = ['rsa']
const EC = ['ec']
const DSA = ['dsa']
const CHECKS = byOid<SignatureCheck>({
  '1.2.840.113549.1.1.1': { keyTypes: RSA, digest: undefined },
  '1.2.840.113549.1.1.5': { keyTypes: RSA, digest: 'sha1' },
  '1.2.840.113549.1.1.14': { keyTypes: RSA, digest: 'sha224' },
  '1.2.840.113549.1.1.11': { keyTypes: RSA, digest: 'sha256' },
  '1.2.840.113549.1.1.12': { keyTypes: RSA, digest: 'sha384' },
  '1.2.840.113549.1.1.13': { keyTypes: RSA, digest: 'sha512' },
  '1.2.840.10045.2.1': { keyTypes: EC, digest: undefined },
  '1.2.840.10045.4.1': { keyTypes: EC, digest: 'sha1' },
  '1.2.840.10045.4.3.1': { keyTypes: EC, digest: 'sha224' },
  '1.2.840.10045.4.3.2': { keyTypes: EC, digest: 'sha256' },
  '1.2.840.10045.4.3.3': { keyTypes: EC, digest: 'sha384' },
  '1.2.840.10045.4.3.4': { keyTypes: EC, digest: 'sha512' },
  '1.2.840.10040.4.1': { keyTypes: DSA, digest: undefined },
  '1.2.840.10040.4.3': { keyTypes: DSA, digest: 'sha1' },
  '2.16.840.1.101.3.4.3.2': { keyTypes: DSA, digest: 'sha256' },
  '1.3.101.112': { keyTypes: ['ed25519'], digest: null },
  '1.3.101.113': { keyTypes: ['ed448'], digest: null },
})

const RSA_PSS = derOid('1.2.840.113549.1.1.10')
const DEFAULT_SALT_BYTES = 20
const SALT_LENGTH = contextTag(2)

/** SHAKE256 with Ed448, with or without its length in bits as a parameter (RFC 8419, 3.1). */
const SHAKE_BITS = 512

/** The name of a digest for node:crypto; undefined when it is not known here. */
export function digestNameOf(algorithm: DerValue): string | undefined {
  const cursor = openDer(algorithm)
  const name = DIGESTS.get(cursor.take(TAG.oid).raw.toString('hex'))
  const bits = cursor.takeIf(TAG.integer)
  return bits === undefined || smallNumber(bits.body) === SHAKE_BITS ? name : undefined
}

/** A digest with a name of `digestNameOf`. */
export function newDigest(name: string): Hash {
  return createHash(name, name === 'shake256' ? { outputLength: SHAKE_BITS / 8 } : {})
}

/** How to check a signature by this algorithm; undefined when it is not known here. Throws DerError. */
export function signatureCheckOf(algorithm: DerValue): SignatureCheck | undefined {
  const cursor = openDer(algorithm)
  const oid = cursor.take(TAG.oid).raw
  return oid.equals(RSA_PSS) ? pssCheck(cursor.takeIf(TAG.sequence)) : CHECKS.get(oid.toString('hex'))
}

/** Whether the key signed the bytes, which are given in pieces. */
export function isSignedBy(
  key: KeyObject,
  { keyTypes, digest, padding }: SignatureCheck,
  { contentDigest, pieces, signature }: { contentDigest: string; pieces: Iterable<Buffer>; signature: Buffer },
): boolean {
  if (!keyTypes.includes(key.asymmetricKeyType ?? '')) return false
  if (digest === null) return verify(null, Buffer.concat([...pieces]), key, signature)
  const check = createVerify(digest ?? contentDigest)
  for (const piece of pieces) check.update(piece)
  return check.verify(padding === undefined ? { key } : { key, ...padding }, signature)
}

// RSASSA-PSS-params (RFC 4055 3.1): hash [0] and salt length [2]; node:crypto uses the same hash for the mask.
function pssCheck(parameters: DerValue | undefined): SignatureCheck | undefined {
  const cursor = parameters && openDer(parameters)
  const hash = cursor?.takeIf(contextTag(0))
  const mask = cursor?.takeIf(contextTag(1))
  const salt = cursor?.takeIf(SALT_LENGTH)
  const digest = hash === undefined ? 'sha1' : digestNameOf(readDer(hash.body, TAG.sequence))
  if (digest === undefined || maskDigestOf(mask) !== digest) return undefined
  const saltLength = salt === undefined ? DEFAULT_SALT_BYTES : smallNumber(readDer(salt.body, TAG.integer).body)
  if (saltLength === undefined) return undefined
  return { keyTypes: ['rsa', 'rsa-pss'], digest, padding: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } }
}

/** A salt is at most as long as a key. */
function smallNumber(integer: Buffer): number | undefined {
  return integer.length === 1 || integer.length === 2 ? integer.readUIntBE(0, integer.length) : undefined
}

function maskDigestOf(mask: DerValue | undefined): string | undefined {
  if (mask === undefined) return 'sha1'
  const cursor = openDer(readDer(mask.body, TAG.sequence))
  cursor.take(TAG.oid)
  return digestNameOf(cursor.take(TAG.sequence))
}

function byOid<Value>(values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values).map(([oid, value]) => [derOid(oid).toString('hex'), value]))
}
