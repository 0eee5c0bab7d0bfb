// Fonts with one-byte codes: Type 1, TrueType and Type 3 (ISO 32000-2, 9.6). Of built-in encodings only those of Type 1 are read; another
// font without /Encoding and /ToUnicode is read as Latin text, which its codes are in practice.
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, isNull, type PdfDict } from '../read/value.ts'
import type { ContentDecoder } from './decode-content.ts'
import { glyphText } from './glyph-names.ts'
import { type CodeTexts, OTHER_UNIT, unitOf } from './marker-units.ts'
import { matrixEntry, numberEntry, numbersEntry } from './number-entries.ts'
import { standardWidth } from './standard-widths.ts'
import type { FontMetrics } from './text-scope.ts'
import { readType1Encoding } from './type1-encoding.ts'

const CODES = 256
const WIN_ANSI = encodingTable('windows-1252')
const MAC_ROMAN = encodingTable('macintosh')
const PICTORIAL = /^(?:[A-Z]{6}\+)?(?:Symbol|ZapfDingbats)/

function encodingTable(label: string): Uint16Array {
  const decoder = new TextDecoder(label)
  return Uint16Array.from({ length: CODES }, (_, code) => unitOf(decoder.decode(Uint8Array.of(code))))
}

/** The text of the codes by the font's /Encoding or its program; the caller applies /ToUnicode, which takes precedence. */
export function simpleTexts(file: PdfFile, decoder: ContentDecoder, font: PdfDict): CodeTexts {
  const encoding = file.resolve(font.entries.get('Encoding'))
  const base = encoding.kind === 'dict' ? file.resolve(encoding.entries.get('BaseEncoding')) : encoding
  const builtIn = isNull(base) && !font.entries.has('ToUnicode') ? builtInEncoding(file, decoder, font) : undefined
  const opaque = builtIn !== undefined || PICTORIAL.test(fontName(file, font))
  const table = isName(base, 'MacRomanEncoding') ? MAC_ROMAN : WIN_ANSI
  const units = opaque ? new Uint16Array(CODES).fill(OTHER_UNIT) : table.slice()
  for (const [code, name] of builtIn ?? []) setGlyph(units, code, name)
  if (encoding.kind === 'dict') applyDifferences(file, encoding, units)
  return { units, sequences: new Map() }
}

function builtInEncoding(file: PdfFile, decoder: ContentDecoder, font: PdfDict): Map<number, string> | undefined {
  const descriptor = file.resolve(font.entries.get('FontDescriptor'))
  const program = descriptor.kind === 'dict' ? file.resolve(descriptor.entries.get('FontFile')) : descriptor
  const bytes = program.kind === 'stream' ? decoder.decode(program) : undefined
  return bytes === undefined ? undefined : readType1Encoding(bytes)
}

/** /Differences: a number sets the code, each following name takes the next one. */
function applyDifferences(file: PdfFile, encoding: PdfDict, units: Uint16Array): void {
  const differences = file.resolve(encoding.entries.get('Differences'))
  if (differences.kind !== 'array') return
  let code = 0
  for (const item of differences.items) {
    const value = file.resolve(item)
    if (value.kind === 'number') code = value.value
    if (value.kind === 'name') setGlyph(units, code++, value.name)
  }
}

/** A typed array ignores a code beyond its end. */
function setGlyph(units: Uint16Array, code: number, name: string): void {
  const text = glyphText(name, code)
  units[code] = text === undefined ? OTHER_UNIT : unitOf(text)
}

/** The widths of /Widths, or those of the standard font that viewers substitute. */
export function simpleMetrics(file: PdfFile, font: PdfDict, units: Uint16Array): FontMetrics {
  if (isName(file.resolve(font.entries.get('Subtype')), 'Type3')) return type3Metrics(file, font)
  const listed = listedWidth(file, font)
  if (listed !== undefined) return { advance: (code) => listed(code) / 1000, vertical: false, height: 1 }
  const standard = standardWidth(fontName(file, font))
  return { advance: (code) => standard(latinCode(units, code)), vertical: false, height: 1 }
}

/** The WinAnsi code of a marker's character, wherever /Differences put it; the code itself for others. */
function latinCode(units: Uint16Array, code: number): number {
  const unit = units[code] ?? 0
  return unit > 0x20 && unit < 0x7f ? unit : code
}

/** Type 3 fonts use their own glyph space, scaled by /FontMatrix and /FontBBox. */
function type3Metrics(file: PdfFile, font: PdfDict): FontMetrics {
  const matrix = matrixEntry(file, font, 'FontMatrix')
  const [, bottom = 0, , top = 0] = numbersEntry(file, font, 'FontBBox') ?? []
  const height = Math.abs((top - bottom) * (matrix?.[3] ?? 0.001))
  const width = listedWidth(file, font)
  const scale = matrix?.[0] ?? 0.001
  return { advance: (code) => (width?.(code) ?? 0) * scale, vertical: false, height: height > 0 ? height : 1 }
}

function listedWidth(file: PdfFile, font: PdfDict): ((code: number) => number) | undefined {
  const widths = numbersEntry(file, font, 'Widths')
  if (widths === undefined) return undefined
  const first = numberEntry(file, font, 'FirstChar') ?? 0
  const descriptor = file.resolve(font.entries.get('FontDescriptor'))
  const missing = descriptor.kind === 'dict' ? (numberEntry(file, descriptor, 'MissingWidth') ?? 0) : 0
  return (code) => {
    const width = widths[code - first] ?? NaN
    return Number.isNaN(width) ? missing : width
  }
}

function fontName(file: PdfFile, font: PdfDict): string {
  const name = file.resolve(font.entries.get('BaseFont'))
  return name.kind === 'name' ? name.name : ''
}
