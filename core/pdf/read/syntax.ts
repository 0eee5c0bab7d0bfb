// Writes PDF syntax: names, numbers, text strings, and existing dictionaries with some entries replaced.
import { isNull, type PdfDict, rawOf, type PdfValue } from './value.ts'

const DECIMALS = 5

/** A number without exponent, to a hundred-thousandth of a point. Throws RangeError when it is not finite. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('a coordinate is not a finite number')
  return String(Number(value.toFixed(DECIMALS)))
}

/** A name with its slash; non-printable bytes, delimiters and `#` are written as `#xx` (7.3.5). */
export function formatName(name: string): string {
  return `/${name.replace(/[^!-~]|[#()<>[\]{}/%]/g, (byte) => `#${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)}`
}

/** A text string: plain if it is ASCII, else UTF-16BE (7.9.2.2). */
export function formatText(text: string): string {
  if (/^[ -~]*$/.test(text)) return `(${text.replace(/[()\\]/g, String.raw`\$&`)})`
  const units = Buffer.from(text, 'utf16le').swap16()
  return `<FEFF${units.toString('hex').toUpperCase()}>`
}

/** The entries of a dictionary except the named ones, byte for byte, without the outer brackets. */
export function rawEntries(dict: PdfDict, without: readonly string[]): Buffer {
  const parts: Buffer[] = []
  for (const [key, value] of dict.entries) {
    if (!without.includes(key)) parts.push(Buffer.from(`${formatName(key)} `, 'latin1'), rawOf(value), NEWLINE)
  }
  return Buffer.concat(parts)
}

/** A dictionary with some entries removed and others set; every other value stays byte for byte. */
export function rawDict(
  dict: PdfDict | undefined,
  without: readonly string[],
  set: readonly (readonly [string, Buffer | string])[],
): Buffer {
  const unchanged = dict === undefined ? '' : rawEntries(dict, [...without, ...set.map(([key]) => key)])
  return bytesOf('<<', unchanged, ...set.flatMap(([key, value]) => [`${formatName(key)} `, value, '\n']), '>>')
}

/** The items of an array, byte for byte, without the outer brackets; empty for null. */
export function rawItems(value: PdfValue): Buffer {
  if (isNull(value)) return Buffer.alloc(0)
  const items = value.kind === 'array' ? value.items : [value]
  return Buffer.concat(items.flatMap((item) => [rawOf(item), NEWLINE]))
}

/** Joins strings (one byte per character) and bytes. */
export function bytesOf(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
}

const NEWLINE = Buffer.from('\n')
