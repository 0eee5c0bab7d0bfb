// Writes DER (X.690): the few types that a CMS needs. Lengths are minimal and SET OF is sorted, so equal input gives equal bytes.

/** Identifier octets of X.690 8.1.2, with the constructed bit for constructed types. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const

/** The identifier octet of a constructed `[number]`, as in `[0] EXPLICIT` and `[0] IMPLICIT SET OF`. */
export function contextTag(number: number): number {
  return 0xa0 | number
}

/** A value with this tag whose contents are the parts in order. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from([tag]), derLength(length), ...parts])
}

/** A SET OF in DER order: the encodings sorted as octet strings (X.690 11.6). */
export function derSetOf(tag: number, values: readonly Uint8Array[]): Buffer {
  return der(tag, ...values.toSorted((a, b) => Buffer.compare(a, b)))
}

/** An OBJECT IDENTIFIER from its dotted form. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(TAG.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** A non-negative INTEGER below 128. */
export function derSmallInteger(value: number): Buffer {
  return der(TAG.integer, Buffer.from([value]))
}

/** An INTEGER from its unsigned big-endian octets, of which there is at least one. */
export function derUnsignedInteger(octets: Uint8Array): Buffer {
  const first = octets.findIndex((octet) => octet !== 0)
  const significant = octets.subarray(first < 0 ? octets.length - 1 : first)
  const isNegative = (significant[0] ?? 0) >= 0x80
  return der(TAG.integer, Buffer.alloc(isNegative ? 1 : 0), significant)
}

function derLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const octets = Buffer.alloc(4)
  octets.writeUInt32BE(length)
  const significant = octets.subarray(octets.findIndex((octet) => octet !== 0))
  return Buffer.concat([Buffer.from([0x80 | significant.length]), significant])
}

function base128(value: number): number[] {
  const septets = [value & 0x7f]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) septets.unshift(0x80 | (rest & 0x7f))
  return septets
}
