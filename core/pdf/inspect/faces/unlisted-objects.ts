// Objects in the bytes of a file that no cross-reference section lists. A viewer that rebuilds the table takes the last definition of a number.
import { type Extent, type Extents, gapsBetween, startsAt } from '../../read/extents.ts'
import { HEADER_BYTES, headerBefore, type ObjectHeader } from '../../read/object-header.ts'
import type { PdfFile } from '../../read/pdf-file.ts'

/** Shorter gaps have no room for `1 0 obj 5` behind `endobj`, which is all that most gaps consist of. */
const SHORTEST_GAP = 15
const CHUNK_BYTES = 1024 * 1024
const KEYWORD = 'obj'

/** The number of an object that is defined between the listed ones, which are sorted; undefined without one. */
export function findUnlisted(file: PdfFile, listed: Extents): number | undefined {
  for (const gap of gapsBetween(listed, file.source.length, SHORTEST_GAP)) {
    for (const { num, start } of definitionsIn(file, gap)) if (!startsAt(listed, start)) return num
  }
  return undefined
}

/** Every `num gen obj` in these bytes, whatever it is part of. */
export function* definitionsIn({ source }: PdfFile, { start, end }: Extent): Generator<ObjectHeader> {
  for (let from = start; from < end; from += CHUNK_BYTES) {
    const to = Math.min(end, from + CHUNK_BYTES + KEYWORD.length - 1)
    const before = Math.min(2 * HEADER_BYTES, from)
    const bytes = source.read(from - before, to)
    for (let at = bytes.indexOf(KEYWORD, before, 'latin1'); at >= 0; at = bytes.indexOf(KEYWORD, at + 1, 'latin1')) {
      const found = headerBefore(bytes, at)
      if (found !== undefined) yield { num: found.num, start: from - before + found.start }
    }
  }
}
