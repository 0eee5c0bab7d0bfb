// Values of the tokens of a content stream or CMap. As lenient as viewers: a malformed number is read as far as it goes.
const BACKSLASH = 0x5c
const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
const MINUS = 0x2d
const POINT = 0x2e

/** The escapes n, r, t, b, f of ISO 32000-2, table 3; any other escaped byte means itself. */
const ESCAPES = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
])

/** Value of the digits in [start, end); signs after the first position and second points are skipped. */
export function numberValue(bytes: Buffer, start: number, end: number): number {
  let value = 0
  let scale = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === POINT && scale === 0) scale = 1
    if (byte < 0x30 || byte > 0x39) continue
    value = value * 10 + byte - 0x30
    scale *= 10
  }
  const magnitude = scale > 1 ? value / scale : value
  return bytes[start] === MINUS ? -magnitude : magnitude
}

/** Text of a name, with #xx escapes resolved (ISO 32000-2, 7.3.5); a byte above 0x7F becomes one character. */
export function nameText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('latin1', start, end)
  if (!text.includes('#')) return text
  return text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Bytes of a hexadecimal string; other characters are skipped, a missing last digit is 0. */
export function hexBytes(bytes: Buffer, start: number, end: number): Buffer {
  const digits = bytes.toString('latin1', start, end).replace(/[^0-9a-fA-F]+/g, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

/** Bytes of a literal string with its escapes, line continuations and line ends resolved (ISO 32000-2, 7.3.4.2). */
export function escapedBytes(bytes: Buffer, start: number, end: number): Buffer {
  const out = Buffer.allocUnsafe(end - start)
  let length = 0
  for (let at = start; at < end;) {
    const byte = bytes[at] ?? 0
    if (byte === BACKSLASH) {
      const escape = readEscape(bytes, at + 1, end)
      if (escape.byte !== undefined) out[length++] = escape.byte
      at = escape.next
    } else if (byte === CARRIAGE_RETURN) {
      out[length++] = LINE_FEED
      at = afterLineEnd(bytes, at)
    } else {
      out[length++] = byte
      at++
    }
  }
  return out.subarray(0, length)
}

/** The byte of an escape (none for a line continuation) and the next position; `at` is after the backslash. */
function readEscape(bytes: Buffer, at: number, end: number): { byte?: number; next: number } {
  const first = bytes[at] ?? 0
  if (at >= end) return { next: end }
  if (first === CARRIAGE_RETURN || first === LINE_FEED) return { next: afterLineEnd(bytes, at) }
  if (!isOctal(first)) return { byte: ESCAPES.get(first) ?? first, next: at + 1 }
  return readOctal(bytes, at, Math.min(end, at + 3))
}

function readOctal(bytes: Buffer, start: number, end: number): { byte: number; next: number } {
  let value = 0
  let at = start
  for (; at < end && isOctal(bytes[at] ?? 0); at++) value = value * 8 + (bytes[at] ?? 0) - 0x30
  return { byte: value & 0xff, next: at }
}

function isOctal(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x37
}

function afterLineEnd(bytes: Buffer, at: number): number {
  return bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED ? at + 2 : at + 1
}
