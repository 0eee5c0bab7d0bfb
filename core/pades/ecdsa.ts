// ECDSA signatures as a CMS holds them (RFC 3279, 2.2.3). Where (r, s) verifies, (r, n - s) does too, so anyone could write a second valid
// signature without the key. A seal uses the lower s only.
import { type KeyObject, sign } from 'node:crypto'
import { der, derUnsignedInteger, TAG } from './der.ts'
import { openDer, readDer } from './read-der.ts'

/** n of the curves that may seal (FIPS 186-5 refers to SP 800-186, 3.2.1). */
const ORDERS: ReadonlyMap<string | undefined, bigint> = new Map([
  ['prime256v1', 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n],
  ['secp384r1', 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n],
])

/** Signs over SHA-256 with the lower s. Throws RangeError for a key on another curve. */
export function signWithLowS(data: Buffer, key: KeyObject): Buffer {
  const order = orderOf(key)
  const pair = sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
  const half = pair.length / 2
  const s = numberFrom(pair.subarray(half))
  const low = s > order / 2n ? bytesOf(order - s, half) : pair.subarray(half)
  return der(TAG.sequence, derUnsignedInteger(pair.subarray(0, half)), derUnsignedInteger(low))
}

/** Whether a signature that verifies has the lower s. Throws DerError when it cannot be read, RangeError for a key on another curve. */
export function hasLowS(signature: Buffer, key: KeyObject): boolean {
  const pair = openDer(readDer(signature, TAG.sequence))
  pair.take(TAG.integer)
  return numberFrom(pair.take(TAG.integer).body) <= orderOf(key) / 2n
}

function orderOf({ asymmetricKeyDetails }: KeyObject): bigint {
  const order = ORDERS.get(asymmetricKeyDetails?.namedCurve)
  if (order === undefined) throw new RangeError('the key is on no curve that may seal')
  return order
}

function numberFrom(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`)
}

function bytesOf(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex')
}
