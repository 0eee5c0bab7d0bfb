// Reads what a ToUnicode CMap says about the characters of a marker (ISO 32000-2, 9.10.3). The tokens are those of a content
// stream, so the same reader splits them.
import { type ContentReader, nextOperator, readContent } from './content-reader.ts'
import { type CodeTexts, SEQUENCE_UNIT, UNIT_ENTRIES, unitOf } from './marker-units.ts'
import { isString, OPERAND, type Operands, stringAt } from './operands.ts'

/** Longer texts are cut; ligatures have three or four characters. */
const LONGEST_TEXT_BYTES = 32
/** Ligatures with letters of a marker; a font has a handful. */
const MOST_SEQUENCES = 256
/** Only the low byte of a text may count up (ISO 32000-2, 9.10.3). */
const LONGEST_RANGE_OF_TEXTS = 256
/** Twice the codes that there are. A CMap that says more than that is not read further. */
const MOST_ENTRIES = 131_072

interface Entries extends CodeTexts {
  left: number
}

/**
 * Enters the CMap's texts for the codes that `texts.units` covers; a code's last entry counts. Whatever breaks the grammar is
 * passed over.
 */
export function readToUnicode(reader: ContentReader, cmap: Buffer, texts: CodeTexts): void {
  const entries: Entries = { ...texts, left: MOST_ENTRIES }
  readContent(reader, cmap, 0)
  while (nextOperator(reader) !== 0 && entries.left > 0) {
    const word = cmap.toString(
      'latin1',
      reader.operatorStart,
      Math.min(reader.position, reader.operatorStart + LONGEST_TEXT_BYTES),
    )
    if (word === 'endbfchar') readCharacters(reader.operands, entries)
    else if (word === 'endbfrange') readRanges(reader.operands, entries)
  }
}

function readCharacters(operands: Operands, entries: Entries): void {
  for (let index = 0; index + 1 < operands.count; index += 2) {
    if (isString(operands, index)) withSigningLink(entries, codeAt(operands, index), textAt(operands, index + 1))
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
    withSigningLink(entries, first + index - from, textAt(operands, index))
  }
  return index + 1
}

/** The last unit of the text counts up through the range, to the last unit that there is. */
function fillRange(entries: Entries, first: number, last: number, text: string): void {
  const base = text.charCodeAt(text.length - 1)
  const count = Math.min(last - first + 1, UNIT_ENTRIES.length - base, entries.left)
  if (text.length === 1 && count > 0) {
    entries.left -= count
    entries.units.set(UNIT_ENTRIES.subarray(base, base + count), first)
    return
  }
  const stem = text.slice(0, -1)
  for (let step = 0; step < Math.min(count, LONGEST_RANGE_OF_TEXTS); step++) {
    withSigningLink(entries, first + step, stem + String.fromCharCode(base + step))
  }
}

function withSigningLink(entries: Entries, code: number, text: string): void {
  entries.left--
  const unit = unitOf(text)
  if (unit === SEQUENCE_UNIT) {
    if (entries.sequences.size >= MOST_SEQUENCES) return
    entries.sequences.set(code, text)
  }
  // A code beyond the table has no effect: so it is with typed arrays.
  entries.units[code] = unit
}

function codeAt(operands: Operands, index: number): number {
  const bytes = stringAt(operands, index)
  return bytes.length === 0 || bytes.length > 4 ? Infinity : bytes.readUIntBE(0, bytes.length)
}

/** UTF-16BE; a single byte is taken for the low one, as some writers leave the high one out. */
function textAt(operands: Operands, index: number): string {
  if (!isString(operands, index)) return ''
  const bytes = stringAt(operands, index).subarray(0, LONGEST_TEXT_BYTES)
  if (bytes.length === 1) return String.fromCharCode(bytes[0] ?? 0)
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}
