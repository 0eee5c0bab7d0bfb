// Reads DER strictly: definite minimal lengths, single-octet tags, no trailing bytes. Anything that two parsers could read differently is refused.

export interface DerValue {
  tag: number
  /** Contents octets. */
  body: Buffer
  /** The whole value as written, tag and length included. */
  raw: Buffer
}

/** Thrown by every function in this file; the message names the problem and contains no bytes of the input. */
export class DerError extends Error {
  override readonly name = 'DerError'
}

/** Reads the values of a constructed value in order. */
export interface DerCursor {
  /** The next value, which must have this tag. */
  take(tag: number): DerValue
  /** The next value if it has this tag. */
  takeIf(tag: number): DerValue | undefined
  /** The next value, with any tag. */
  takeAny(): DerValue
  readonly done: boolean
  /** Throws when values are left. */
  end(): void
}

/** The single value that fills `bytes`; trailing octets are refused. */
export function readDer(bytes: Buffer, tag: number): DerValue {
  const value = readDerPrefix(bytes)
  if (value.raw.length !== bytes.length) throw new DerError('bytes follow the value')
  return expectTag(value, tag)
}

/** The first value in `bytes`; the caller checks the bytes after it. */
export function readDerPrefix(bytes: Buffer): DerValue {
  const tag = bytes[0]
  if (tag === undefined) throw new DerError('a value is missing')
  if ((tag & 0x1f) === 0x1f) throw new DerError('tags of several octets are not used here')
  const { length, headerLength } = readLength(bytes)
  const end = headerLength + length
  if (end > bytes.length) throw new DerError('a value is longer than what holds it')
  return { tag, body: bytes.subarray(headerLength, end), raw: bytes.subarray(0, end) }
}

/** A cursor over the values in `constructed`. */
export function openDer(constructed: DerValue): DerCursor {
  let rest = constructed.body
  const takeAny = () => {
    const value = readDerPrefix(rest)
    rest = rest.subarray(value.raw.length)
    return value
  }
  return {
    takeAny,
    take: (tag) => expectTag(takeAny(), tag),
    takeIf: (tag) => (rest[0] === tag ? takeAny() : undefined),
    get done() {
      return rest.length === 0
    },
    end() {
      if (rest.length > 0) throw new DerError('a structure holds more than it may')
    },
  }
}

/** All values inside `constructed`. */
export function derChildren(constructed: DerValue): DerValue[] {
  const cursor = openDer(constructed)
  const values: DerValue[] = []
  while (!cursor.done) values.push(cursor.takeAny())
  return values
}

function expectTag(value: DerValue, tag: number): DerValue {
  if (value.tag !== tag) throw new DerError(`tag 0x${value.tag.toString(16)} found where 0x${tag.toString(16)} is expected`)
  return value
}

function readLength(bytes: Buffer): { length: number; headerLength: number } {
  const first = bytes[1]
  if (first === undefined) throw new DerError('a length is missing')
  if (first < 0x80) return { length: first, headerLength: 2 }
  const octets = first & 0x7f
  if (octets === 0 || octets > 4 || bytes.length < 2 + octets) throw new DerError('a length is not definite or too long')
  const length = bytes.readUIntBE(2, octets)
  if (length < 0x80 || length < 2 ** (8 * (octets - 1))) throw new DerError('a length is not minimal')
  return { length, headerLength: 2 + octets }
}
