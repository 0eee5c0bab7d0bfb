// Encodes DER as BER with indefinite lengths, as some products write a CMS.
import { derChildren, type DerValue, readDerPrefix } from '#core/pades/read-der.ts'

const CONSTRUCTED = 0x20
/** Signed attributes are signed as DER, certificates as they are. */
const AS_IT_IS = 3

/** The same value with indefinite lengths in its outer levels. */
export function toBer(bytes: Buffer): Buffer {
  return encode(readDerPrefix(bytes), 0)
}

function encode(value: DerValue, depth: number): Buffer {
  if ((value.tag & CONSTRUCTED) === 0 || depth === AS_IT_IS) return value.raw
  const members = derChildren(value).map((child) => encode(child, depth + 1))
  return Buffer.concat([Buffer.from([value.tag, 0x80]), ...members, Buffer.from([0, 0])])
}
