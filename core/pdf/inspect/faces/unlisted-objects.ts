// Objects in the bytes of a file that no cross-reference section lists. A viewer that rebuilds the table takes the last definition of a number.
import { type Extent, type Extents, gapsBetween, startsAt } from '../../read/extents.ts'
import { isDigit, isSpace } from '../../read/lexer.ts'
import type { PdfFile } from '../../read/pdf-file.ts'

/** Shorter gaps have no room for `1 0 obj 5` behind `endobj`, which is all that most gaps consist of. */
const SHORTEST_GAP = 15
const CHUNK_BYTES = 1024 * 1024
/** Room for both numbers and white space before the keyword. */
const BEFORE_KEYWORD = 4096
const KEYWORD = 'obj'

/** The number of an object that is defined between the listed ones, which are sorted; undefined without one. */
export function findUnlisted(file: PdfFile, listed: Extents): number | undefined {
  for (const gap of gapsBetween(listed, file.source.length, SHORTEST_GAP)) {
    for (const { num, start } of definitionsIn(file, gap)) if (!startsAt(listed, start)) return num
  }
  return undefined
}

export interface Definition {
  readonly num: number
  /** Position of its number. */
  readonly start: number
}

/** Every `num gen obj` in these bytes, whatever it is part of. */
export function* definitionsIn({ source }: PdfFile, { start, end }: Extent): Generator<Definition> {
  for (let from = start; from < end; from += CHUNK_BYTES) {
    const to = Math.min(end, from + CHUNK_BYTES + KEYWORD.length - 1)
    const before = Math.min(BEFORE_KEYWORD, from)
    const bytes = source.read(from - before, to)
    for (let at = bytes.indexOf(KEYWORD, before, 'latin1'); at >= 0; at = bytes.indexOf(KEYWORD, at + 1, 'latin1')) {
      const found = definitionBefore(bytes, at)
      if (found !== undefined) yield { num: found.num, start: from - before + found.start }
    }
  }
}

/** The number at the start of `num gen obj`, whose keyword is at `keyword`. */
function definitionBefore(bytes: Buffer, keyword: number): Definition | undefined {
  const generation = numberBefore(bytes, spaceBefore(bytes, keyword))
  const space = generation === undefined ? 0 : spaceBefore(bytes, generation.start)
  if (generation === undefined || space === generation.start) return undefined
  const num = numberBefore(bytes, space)
  return num && { num: num.value, start: num.start }
}

/** Where the white space before `at` begins. */
function spaceBefore(bytes: Buffer, at: number): number {
  let start = at
  while (start > 0 && isSpace(bytes[start - 1] ?? 0)) start--
  return start
}

function numberBefore(bytes: Buffer, end: number): { start: number; value: number } | undefined {
  let start = end
  while (start > 0 && isDigit(bytes[start - 1] ?? 0)) start--
  return start === end ? undefined : { start, value: Number(bytes.toString('latin1', start, end)) }
}
