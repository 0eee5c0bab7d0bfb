// Reads the object at a position of the file (ISO 32000-2, 7.3.10). The window grows only as the object needs; stream data stays in the file.
import { type PdfBudget, chargeParsed } from '../budget.ts'
import type { ByteSource } from './byte-source.ts'
import { byteAt, type Cursor, skipSpace, startsWith, WINDOW_END } from './lexer.ts'
import { readToken, readValue } from './parser.ts'
import { malformed, tooComplex } from '../pdf-error.ts'
import { countOf, type PdfValue } from './value.ts'

export interface IndirectObject {
  readonly num: number
  readonly gen: number
  readonly value: PdfValue
  /** Approximate bytes of memory that the value takes. */
  readonly weight: number
}

const FIRST_WINDOW_BYTES = 1024
const WINDOW_GROWTH = 8
const BYTES_PER_VALUE = 80
const CARRIAGE_RETURN = 13
const LINE_FEED = 10

/** A cursor over bytes that hold a whole object, such as a decoded object stream. */
export function cursorOver(bytes: Buffer, at: number, budget: PdfBudget): Cursor {
  return { bytes, whole: true, at, valuesLeft: budget.limits.objectValues, nesting: budget.limits.nesting }
}

/** Calls `read` with growing windows until it succeeds. Throws PdfError as `read` does, and when the object is too large. */
export function readFrom<Result>(
  source: ByteSource,
  budget: PdfBudget,
  position: number,
  read: (cursor: Cursor) => Result,
): Result {
  for (let size = FIRST_WINDOW_BYTES; ; size *= WINDOW_GROWTH) {
    const bytes = source.read(position, position + size)
    const whole = position + bytes.length >= source.length
    const cursor: Cursor = { bytes, whole, at: 0, valuesLeft: budget.limits.objectValues, nesting: budget.limits.nesting }
    try {
      const result = read(cursor)
      chargeParsed(budget, cursor.at)
      return result
    } catch (error) {
      if (error !== WINDOW_END) throw error
      chargeParsed(budget, bytes.length)
      if (size > budget.limits.objectBytes) throw tooComplex('one of its objects is too large')
    }
  }
}

/** The object at `position`, whatever its number. */
export function readIndirectObject(source: ByteSource, budget: PdfBudget, position: number): IndirectObject {
  if (position >= source.length) throw malformed('an object lies behind the end of the file')
  return readFrom(source, budget, position, (cursor) => {
    const num = countOf(readToken(cursor))
    const gen = countOf(readToken(cursor))
    const word = readToken(cursor)
    if (num === undefined || gen === undefined || word.kind !== 'keyword' || word.word !== 'obj') {
      throw malformed('an object is not where the cross-reference table says')
    }
    const value = withStream(cursor, position, readValue(cursor))
    const values = budget.limits.objectValues - cursor.valuesLeft
    return { num, gen, value, weight: cursor.bytes.length + values * BYTES_PER_VALUE }
  })
}

function withStream(cursor: Cursor, position: number, value: PdfValue): PdfValue {
  if (value.kind !== 'dict') return value
  let at = skipSpace(cursor, cursor.at)
  if (!startsWith(cursor, at, 'stream')) return value
  at += 'stream'.length
  if (byteAt(cursor, at) === CARRIAGE_RETURN) at++
  if (byteAt(cursor, at) === LINE_FEED) at++
  const { bytes, start, end } = value
  return { kind: 'stream', bytes, start, end, dict: value, dataStart: position + at }
}
