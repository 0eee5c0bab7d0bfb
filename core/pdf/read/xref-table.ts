// A classic cross-reference table (ISO 32000-2, 7.5.4). Its entries are read from the file on lookup.
import type { PdfBudget } from '../budget.ts'
import type { ByteSource } from './byte-source.ts'
import { readFrom } from './indirect-object.ts'
import { skipSpace, startsWith } from './lexer.ts'
import { readToken, readValue } from './parser.ts'
import { malformed, tooComplex } from '../pdf-error.ts'
import { countOf, type PdfDict } from './value.ts'
import { FREE, ordered, plainEntry, type Subsection, subsectionOf, type XrefEntry, type XrefSection } from './xref-entry.ts'

const ENTRY_BYTES = 20
const IN_USE = 0x6e
const ENTRY = /^\d{10} \d{5} [nf](?: \r| \n|\r\n)$/

/** Reads the table whose keyword `xref` is at `position`. */
export function readXrefTable(source: ByteSource, budget: PdfBudget, position: number): XrefSection {
  const subsections: Subsection[] = []
  let entries = 0
  let at = position + 'xref'.length
  for (;;) {
    const part = readFrom(source, budget, at, (cursor) => {
      const start = skipSpace(cursor, 0)
      cursor.at = start
      if (startsWith(cursor, start, 'trailer')) return undefined
      const first = countOf(readToken(cursor))
      const count = countOf(readToken(cursor))
      if (first === undefined || count === undefined) throw malformed('its cross-reference table is damaged')
      return { first, count, at: at + skipSpace(cursor, cursor.at) }
    })
    if (part === undefined) break
    entries += part.count
    if (entries > budget.limits.xrefEntries) throw tooComplex('its cross-reference table is too long')
    if (part.count > 0) subsections.push(checked(source, part))
    at = part.at + part.count * ENTRY_BYTES
    if (at >= source.length) throw malformed('its cross-reference table is damaged')
  }
  const sorted = ordered(subsections)
  const trailer = readTrailer(source, budget, at)
  return {
    kind: 'table',
    start: position,
    end: at + trailer.end,
    trailer,
    subsections: sorted,
    find: (num) => findEntry(source, sorted, num),
  }
}

function readTrailer(source: ByteSource, budget: PdfBudget, at: number): PdfDict {
  return readFrom(source, budget, at, (cursor) => {
    cursor.at = skipSpace(cursor, 0) + 'trailer'.length
    const trailer = readValue(cursor)
    if (trailer.kind !== 'dict') throw malformed('its trailer is damaged')
    return trailer
  })
}

/** Entries are 20 bytes each; the first and the last one show whether that holds. */
function checked(source: ByteSource, subsection: Subsection): Subsection {
  readEntry(source, subsection, subsection.first)
  readEntry(source, subsection, subsection.first + subsection.count - 1)
  return subsection
}

function findEntry(source: ByteSource, subsections: readonly Subsection[], num: number): XrefEntry | undefined {
  const subsection = subsectionOf(subsections, num)
  return subsection && readEntry(source, subsection, num)
}

function readEntry(source: ByteSource, subsection: Subsection, num: number): XrefEntry {
  const at = subsection.at + (num - subsection.first) * ENTRY_BYTES
  const bytes = source.read(at, at + ENTRY_BYTES)
  if (!ENTRY.test(bytes.toString('latin1'))) throw malformed('its cross-reference table is damaged')
  const offset = Number(bytes.toString('latin1', 0, 10))
  // Some writers mark unused objects as in use at offset 0, where the header is.
  if (bytes[17] !== IN_USE || offset === 0) return FREE
  return plainEntry(offset, Number(bytes.toString('latin1', 11, 16)))
}
