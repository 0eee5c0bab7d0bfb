// Reads one PDF value at a cursor (ISO 32000-2, 7.3). Syntax errors are refused, never guessed at: after a guess, two viewers can show two different documents.
import { byteAt, type Cursor, END, hexEnd, isDigit, isRegular, literalEnd, runEnd, skipSpace } from './lexer.ts'
import { malformed, tooComplex } from '../pdf-error.ts'
import type { PdfArray, PdfDict, PdfKeyword, PdfName, PdfNumber, PdfRef, PdfValue } from './value.ts'

const SLASH = 0x2f
const OPEN_PARENTHESIS = 0x28
const LESS = 0x3c
const GREATER = 0x3e
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const CAPITAL_R = 0x52

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
/** Structural keywords; inside a value they mean that the value was not closed. */
const STRUCTURE = new Set(['obj', 'endobj', 'stream', 'endstream', 'xref', 'trailer', 'startxref'])

/** Reads the value at the cursor and advances it. Throws DOCUMENT_INVALID, DOCUMENT_TOO_COMPLEX or WINDOW_END. */
export function readValue(cursor: Cursor): PdfValue {
  return valueAt(cursor, 0)
}

/**
 * Reads the word or number at the cursor and advances it; unlike readValue it reads `1 0 R` as the number 1. Returns an empty word at a
 * bracket or at the end.
 */
export function readToken(cursor: Cursor): PdfNumber | PdfKeyword {
  const start = skipSpace(cursor, cursor.at)
  return runAt(cursor, start)
}

function valueAt(cursor: Cursor, depth: number): PdfValue {
  if (--cursor.valuesLeft < 0) throw tooComplex('one of its objects is too large')
  const start = skipSpace(cursor, cursor.at)
  switch (byteAt(cursor, start)) {
    case SLASH:
      return nameAt(cursor, start)
    case OPEN_PARENTHESIS:
      cursor.at = literalEnd(cursor, start)
      return { kind: 'string', bytes: cursor.bytes, start, end: cursor.at }
    case LESS:
      if (byteAt(cursor, start + 1) === LESS) return dictAt(cursor, start, nest(cursor, depth))
      cursor.at = hexEnd(cursor, start)
      return { kind: 'string', bytes: cursor.bytes, start, end: cursor.at }
    case OPEN_BRACKET:
      return arrayAt(cursor, start, nest(cursor, depth))
    case END:
      throw malformed('it ends in the middle of an object')
    default:
      return runOrRefAt(cursor, start)
  }
}

function runOrRefAt(cursor: Cursor, start: number): PdfNumber | PdfKeyword | PdfRef {
  const run = runAt(cursor, start)
  if (run.end === start) throw malformed('there is a stray bracket in it')
  return run.kind === 'number' ? (refAt(cursor, run) ?? run) : run
}

function nest(cursor: Cursor, depth: number): number {
  if (depth >= cursor.nesting) throw tooComplex('one of its objects is nested too deeply')
  return depth + 1
}

function dictAt(cursor: Cursor, start: number, depth: number): PdfDict {
  const entries = new Map<string, PdfValue>()
  const duplicateKeys: string[] = []
  cursor.at = start + 2
  for (;;) {
    const at = skipSpace(cursor, cursor.at)
    const byte = byteAt(cursor, at)
    if (byte === GREATER && byteAt(cursor, at + 1) === GREATER) break
    if (byte !== SLASH) throw malformed('a dictionary in it is damaged')
    const key = nameAt(cursor, at).name
    const value = elementAt(cursor, depth)
    const earlier = entries.get(key)
    if (earlier !== undefined && !sameBytes(earlier, value)) duplicateKeys.push(key)
    entries.set(key, value)
    cursor.at = value.end
  }
  const end = skipSpace(cursor, cursor.at) + 2
  cursor.at = end
  return { kind: 'dict', bytes: cursor.bytes, start, end, entries, ambiguous: duplicateKeys.length > 0, duplicateKeys }
}

function arrayAt(cursor: Cursor, start: number, depth: number): PdfArray {
  const items: PdfValue[] = []
  cursor.at = start + 1
  for (;;) {
    const at = skipSpace(cursor, cursor.at)
    if (byteAt(cursor, at) === CLOSE_BRACKET) {
      cursor.at = at + 1
      return { kind: 'array', bytes: cursor.bytes, start, end: cursor.at, items }
    }
    items.push(elementAt(cursor, depth))
  }
}

function elementAt(cursor: Cursor, depth: number): PdfValue {
  const value = valueAt(cursor, depth)
  if (value.kind === 'keyword' && STRUCTURE.has(value.word)) throw malformed('an object in it is not closed')
  return value
}

function nameAt(cursor: Cursor, start: number): PdfName {
  const end = runEnd(cursor, start + 1)
  const text = cursor.bytes.toString('latin1', start + 1, end)
  const name = text.includes('#')
    ? text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text
  cursor.at = end
  return { kind: 'name', bytes: cursor.bytes, start, end, name }
}

function runAt(cursor: Cursor, start: number): PdfNumber | PdfKeyword {
  const end = runEnd(cursor, start)
  cursor.at = end
  const { bytes } = cursor
  const value = end > start ? integerIn(bytes, start, end) : undefined
  if (value !== undefined) return { kind: 'number', bytes, start, end, value }
  const word = bytes.toString('latin1', start, end)
  if (NUMBER.test(word)) return { kind: 'number', bytes, start, end, value: Number(word) }
  return { kind: 'keyword', bytes, start, end, word }
}

/** The unsigned integer in these bytes; undefined for anything else. */
function integerIn(bytes: Buffer, start: number, end: number): number | undefined {
  let value = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? END
    if (!isDigit(byte)) return undefined
    value = value * 10 + byte - 48
  }
  return Number.isSafeInteger(value) ? value : undefined
}

/** The reference `num gen R` that starts with this number; undefined otherwise. */
function refAt(cursor: Cursor, num: PdfNumber): PdfRef | undefined {
  const { bytes } = cursor
  if (integerIn(bytes, num.start, num.end) === undefined) return undefined
  const genStart = skipSpace(cursor, num.end)
  const genEnd = runEnd(cursor, genStart)
  const gen = genEnd > genStart ? integerIn(bytes, genStart, genEnd) : undefined
  if (gen === undefined) return undefined
  const wordAt = skipSpace(cursor, genEnd)
  if (byteAt(cursor, wordAt) !== CAPITAL_R || isRegular(byteAt(cursor, wordAt + 1))) return undefined
  cursor.at = wordAt + 1
  return { kind: 'ref', bytes, start: num.start, end: cursor.at, num: num.value, gen }
}

function sameBytes(one: PdfValue, other: PdfValue): boolean {
  return one.bytes.compare(other.bytes, other.start, other.end, one.start, one.end) === 0
}
