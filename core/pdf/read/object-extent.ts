// Where an object of the file begins and ends (ISO 32000-2, 7.3.10), its stream data included.
import type { PdfBudget } from '../budget.ts'
import { malformed } from '../pdf-error.ts'
import type { ByteSource } from './byte-source.ts'
import { readFrom, readIndirectObject } from './indirect-object.ts'
import { skipSpace, startsWith } from './lexer.ts'
import type { PdfFile } from './pdf-file.ts'
import { countOf, type PdfValue } from './value.ts'

export interface ObjectExtent {
  readonly num: number
  readonly gen: number
  readonly value: PdfValue
  /** The position of the keyword `obj`. */
  readonly keyword: number
  /** The position after the keyword `endobj`. */
  readonly end: number
}

/** Reads the whole object at `position`. Throws DOCUMENT_INVALID when its end is not where it must be, and PdfError as reading does. */
export function readExtent(file: Pick<PdfFile, 'source' | 'budget' | 'resolve'>, position: number): ObjectExtent {
  const { source, budget } = file
  const { num, gen, value } = readIndirectObject(source, budget, position)
  const words = value.kind === 'stream' ? ['endstream', 'endobj'] : ['endobj']
  const after =
    value.kind === 'stream' ? value.dataStart + lengthOf(file.resolve(value.dict.entries.get('Length'))) : position + value.end
  const end = readFrom(source, budget, after, (cursor) => {
    for (const word of words) {
      const at = skipSpace(cursor, cursor.at)
      if (!startsWith(cursor, at, word)) throw malformed(`object ${num} has no end`)
      cursor.at = at + word.length
    }
    return after + cursor.at
  })
  return { num, gen, value, keyword: position + value.bytes.lastIndexOf('obj', value.start - 'obj'.length), end }
}

function lengthOf(value: PdfValue): number {
  const length = countOf(value)
  if (length === undefined) throw malformed('a stream in it has no proper length')
  return length
}

/** The first position from `at` that is neither white space nor in a comment. */
export function spaceEnd(source: ByteSource, budget: PdfBudget, at: number): number {
  return readFrom(source, budget, at, (cursor) => at + (cursor.at = skipSpace(cursor, 0)))
}
