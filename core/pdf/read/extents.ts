// The parts of a file that its cross-reference sections account for, and what is between them.
import type { PdfFile } from './pdf-file.ts'
import { countOf, type PdfValue } from './value.ts'
import type { XrefEntry } from './xref-entry.ts'

/** The bytes in [start, end). */
export interface Extent {
  readonly start: number
  readonly end: number
}

/** Parts of a file: where each ends, by where it starts. */
export type Extents = Map<number, number>

/** Where an object at a plain entry ends: behind its value, or behind its data without `endstream`. */
export function endOf(file: PdfFile, offset: number, value: PdfValue): number {
  if (value.kind !== 'stream') return file.base + offset + value.end
  return value.dataStart + (countOf(file.resolve(value.dict.entries.get('Length'))) ?? 0)
}

/** Where the cross-reference sections begin, newest first; a stream begins with its object number. */
export function sectionStarts({ base, startxref, xref }: PdfFile): number[] {
  const starts: number[] = []
  let next: number | undefined = startxref
  for (const { main, hidden } of xref.revisions) {
    if (next !== undefined) starts.push(base + next)
    const beside = hidden === undefined ? undefined : countOf(main.trailer.entries.get('XRefStm'))
    if (beside !== undefined) starts.push(base + beside)
    next = countOf(main.trailer.entries.get('Prev'))
  }
  return starts
}

/** The plain entries that a newer section replaces or frees: number, offset and generation. */
export function* replacedEntries({ xref }: PdfFile): Generator<{ num: number; entry: Extract<XrefEntry, { type: 'plain' }> }> {
  if (xref.revisions.length === 1 && !xref.hybrid) return
  for (const section of xref.revisions.flatMap(({ main, hidden }) => [main, ...(hidden === undefined ? [] : [hidden])])) {
    for (const { first, count } of section.subsections) {
      for (let num = first; num < first + count; num++) {
        const entry = section.find(num)
        if (entry?.type !== 'plain') continue
        const current = xref.find(num)
        if (current?.type !== 'plain' || current.offset !== entry.offset) yield { num, entry }
      }
    }
  }
}

/** What no extent covers, in order. */
export function* gapsBetween(extents: Extents, length: number): Generator<Extent> {
  let covered = 0
  for (const start of Float64Array.from(extents.keys()).sort()) {
    if (start > covered) yield { start: covered, end: start }
    covered = Math.max(covered, extents.get(start) ?? start)
  }
  if (covered < length) yield { start: covered, end: length }
}
