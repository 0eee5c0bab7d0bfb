// Reads what a ToUnicode CMap says about the characters of a marker (ISO 32000-2, 9.10.3). Its tokens are those of a content stream, so it uses the same reader.
import { type ContentReader, nextOperator, readContent } from './content-reader.ts'
import { type CodeTexts, SEQUENCE_UNIT, UNIT_ENTRIES, unitOf } from './marker-units.ts'
import { isString, OPERAND, type Operands, stringAt } from './operands.ts'

/** Longer texts are truncated; ligatures have three or four characters. */
const MAX_TEXT_BYTES = 32
/** Ligatures with letters of a marker; a font has a handful. */
const MAX_SEQUENCES = 256
/** Only the low byte of a text may be incremented (ISO 32000-2, 9.10.3). */
const MAX_TEXT_RANGE = 256
/** Twice the number of codes. Further entries are not read. */
const MAX_ENTRIES = 131_072

interface Entries extends CodeTexts {
  left: number
}

/** Writes the CMap's texts for the codes that `texts.units` covers; the last entry for a code counts. Syntax errors are skipped. */
export function readToUnicode(reader: ContentReader, cmap: Buffer, texts: CodeTexts): void {
  const entries: Entries = { ...texts, left: MAX_ENTRIES }
  readContent(reader, cmap, 0)
  while (nextOperator(reader) !== 0 && entries.left > 0) {
    const word = cmap.toString('latin1', reader.operatorStart, Math.min(reader.position, reader.operatorStart + MAX_TEXT_BYTES))
    if (word === 'endbfchar') readCharacters(reader.operands, entries)
    else if (word === 'endbfrange') readRanges(reader.operands, entries)
  }
}

function readCharacters(operands: Operands, entries: Entries): void {
  for (let index = 0; index + 1 < operands.count; index += 2) {
    if (isString(operands, index)) setText(entries, codeAt(operands, index), textAt(operands, index + 1))
  }
}

/** Each range is <first> <last> <text> or <first> <last> [<text> ...]. */
function readRanges(operands: Operands, entries: Entries): void {
  for (let index = 0; index + 2 < operands.count;) {
    const first = codeAt(operands, index)
    const last = Math.min(codeAt(operands, index + 1), entries.units.length - 1)
    index += 2
    if (operands.kinds[index] === OPERAND.OPEN) index = readTexts(operands, index + 1, entries, first)
    else fillRange(entries, first, last, textAt(operands, index++))
  }
}

function readTexts(operands: Operands, from: number, entries: Entries, first: number): number {
  let index = from
  for (; index < operands.count && operands.kinds[index] !== OPERAND.CLOSE; index++) {
    setText(entries, first + index - from, textAt(operands, index))
  }
  return index + 1
}

/** The last unit of the text is incremented through the range, up to the largest unit. */
function fillRange(entries: Entries, first: number, last: number, text: string): void {
  const base = text.charCodeAt(text.length - 1)
  const count = Math.min(last - first + 1, UNIT_ENTRIES.length - base, entries.left)
  if (text.length === 1 && count > 0) {
    entries.left -= count
    entries.units.set(UNIT_ENTRIES.subarray(base, base + count), first)
    return
  }
  const stem = text.slice(0, -1)
  for (let step = 0; step < Math.min(count, MAX_TEXT_RANGE); step++) {
    setText(entries, first + step, stem + String.fromCharCode(base + step))
  }
}

function setText(entries: Entries, code: number, text: string): void {
  entries.left--
  const unit = unitOf(text)
  if (unit === SEQUENCE_UNIT) {
    if (entries.sequences.size >= MAX_SEQUENCES) return
    entries.sequences.set(code, text)
  }
  // A typed array ignores a code beyond its end.
  entries.units[code] = unit
}

function codeAt(operands: Operands, index: number): number {
  const bytes = stringAt(operands, index)
  return bytes.length === 0 || bytes.length > 4 ? Infinity : bytes.readUIntBE(0, bytes.length)
}

/** UTF-16BE; a single byte is read as the low one, because some writers omit the high one. */
function textAt(operands: Operands, index: number): string {
  if (!isString(operands, index)) return ''
  const bytes = stringAt(operands, index).subarray(0, MAX_TEXT_BYTES)
  if (bytes.length === 1) return String.fromCharCode(bytes[0] ?? 0)
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}
