// Reads string objects: their bytes (ISO 32000-2, 7.3.4) and, for text strings, the text (7.9.2.2).
import { type PdfString, rawOf } from './value.ts'

const ESCAPE = /\\(?:([0-7]{1,3})|([^]))/g
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['\n', ''],
])

export function stringBytes(value: PdfString): Buffer {
  const raw = rawOf(value).toString('latin1')
  const inner = raw.slice(1, -1)
  if (raw.startsWith('<')) {
    const digits = inner.replace(/[^0-9a-fA-F]/g, '')
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
  }
  // An end of line in the file counts as a line feed, whatever its form.
  return Buffer.from(inner.replace(/\r\n?/g, '\n').replace(ESCAPE, unescape), 'latin1')
}

/** The text of a text string: UTF-16 or UTF-8 with a byte order mark, else one character per byte. */
export function textOf(value: PdfString): string {
  return textOfBytes(stringBytes(value))
}

/** Decodes the data of a text stream (7.9.3). */
export function textOfBytes(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, 2 + 2 * ((bytes.length - 2) >> 1)))
      .swap16()
      .toString('utf16le')
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3)
  return bytes.toString('latin1')
}

function unescape(_: string, octal: string | undefined, character: string | undefined): string {
  if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff)
  return ESCAPED.get(character ?? '') ?? character ?? ''
}
