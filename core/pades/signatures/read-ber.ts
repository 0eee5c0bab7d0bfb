// Reads BER as other products write it (X.690 8.1) and gives it as DER: indefinite and long lengths become minimal, and an octet string in
// pieces becomes one. DER comes out byte for byte.
import { der, TAG } from '../der.ts'
import { DerError, type DerValue, readDerPrefix } from '../read-der.ts'

const CONSTRUCTED = 0x20
const MULTI_OCTET_TAG = 0x1f
const INDEFINITE = 0x80
const MAX_DEPTH = 40
const MAX_LENGTH_OCTETS = 4

/** The first value in `bytes`. Throws DerError; the caller checks the bytes after it. */
export function readBer(bytes: Buffer): DerValue {
  return readDerPrefix(convert(bytes, 0, 0).value)
}

interface Converted {
  readonly value: Buffer
  /** Position after the value. */
  readonly end: number
}

function convert(bytes: Buffer, at: number, depth: number): Converted {
  const tag = bytes[at]
  if (tag === undefined || depth > MAX_DEPTH) throw new DerError('a value is missing or too deep')
  if ((tag & MULTI_OCTET_TAG) === MULTI_OCTET_TAG) throw new DerError('tags of several octets are not used here')
  const { start, end } = readExtent(bytes, at + 1)
  if ((tag & CONSTRUCTED) === 0) {
    if (end === undefined) throw new DerError('a length is not definite')
    return { value: der(tag, bytes.subarray(start, end)), end }
  }
  const { members, next } = convertMembers(bytes, start, end, depth)
  const isInPieces = tag === (TAG.octetString | CONSTRUCTED)
  const value = isInPieces ? der(TAG.octetString, ...members.map((member) => readDerPrefix(member).body)) : der(tag, ...members)
  return { value, end: next }
}

/** `end` is undefined for an indefinite length, which ends with two zeros. */
function convertMembers(
  bytes: Buffer,
  start: number,
  end: number | undefined,
  depth: number,
): { members: Buffer[]; next: number } {
  const members: Buffer[] = []
  let at = start
  while (end === undefined ? !(bytes[at] === 0 && bytes[at + 1] === 0) : at < end) {
    const member = convert(bytes, at, depth + 1)
    members.push(member.value)
    at = member.end
  }
  if (end !== undefined && at !== end) throw new DerError('a value is longer than what holds it')
  return { members, next: end ?? at + 2 }
}

function readExtent(bytes: Buffer, at: number): { start: number; end: number | undefined } {
  const first = bytes[at]
  if (first === undefined) throw new DerError('a length is missing')
  if (first === INDEFINITE) return { start: at + 1, end: undefined }
  const octets = first < INDEFINITE ? 0 : first & 0x7f
  if (octets > MAX_LENGTH_OCTETS || at + 1 + octets > bytes.length) throw new DerError('a length is too long')
  const length = octets === 0 ? first : bytes.readUIntBE(at + 1, octets)
  const start = at + 1 + octets
  if (start + length > bytes.length) throw new DerError('a value is longer than what holds it')
  return { start, end: start + length }
}
