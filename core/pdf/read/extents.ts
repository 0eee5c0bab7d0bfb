// The parts of a file that its cross-reference sections account for, and what is between them.
import type { PdfFile } from './pdf-file.ts'
import { countOf, type PdfValue } from './value.ts'
import type { XrefEntry, XrefSection } from './xref-entry.ts'

type PlainEntry = Extract<XrefEntry, { type: 'plain' }>

/** The bytes in [start, end). */
export interface Extent {
  readonly start: number
  readonly end: number
}

/** Parts of a file in the order in which they were added; two arrays, because a file may have 200,000 objects. */
export interface Extents {
  starts: number[]
  ends: number[]
}

export function newExtents(): Extents {
  return { starts: [], ends: [] }
}

export function addExtent({ starts, ends }: Extents, start: number, end: number): void {
  starts.push(start)
  ends.push(end)
}

/** Sorts the parts by their starts; most files list their objects in order. */
export function sortExtents(extents: Extents): void {
  const { starts, ends } = extents
  if (starts.every((start, index) => index === 0 || start >= (starts[index - 1] ?? 0))) return
  const order = starts.map((_, index) => index).sort((one, other) => (starts[one] ?? 0) - (starts[other] ?? 0))
  extents.starts = order.map((index) => starts[index] ?? 0)
  extents.ends = order.map((index) => ends[index] ?? 0)
}

/** Whether one of the sorted parts starts here. */
export function startsAt({ starts }: Extents, position: number): boolean {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) < position) low = middle + 1
    else high = middle
  }
  return starts[low] === position
}

/** Where an object at a plain entry ends: behind its value, or within the keyword after its data. */
export function endOf(file: PdfFile, offset: number, value: PdfValue): number {
  if (value.kind !== 'stream') return file.base + offset + value.end
  return value.dataStart + (countOf(file.resolve(value.dict.entries.get('Length'))) ?? 0) + 'endstream'.length
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
export function* replacedEntries({ xref }: PdfFile): Generator<{ num: number; entry: PlainEntry }> {
  if (xref.revisions.length === 1 && !xref.hybrid) return
  for (const section of xref.revisions.flatMap(({ main, hidden }) => [main, hidden])) {
    for (const { num, entry } of plainEntries(section)) {
      const current = xref.find(num)
      if (current?.type !== 'plain' || current.offset !== entry.offset) yield { num, entry }
    }
  }
}

function* plainEntries(section: XrefSection | undefined): Generator<{ num: number; entry: PlainEntry }> {
  for (const { first, count } of section?.subsections ?? []) {
    for (let num = first; num < first + count; num++) {
      const entry = section?.find(num)
      if (entry?.type === 'plain') yield { num, entry }
    }
  }
}

/** What the sorted parts do not cover, from byte 0 to the length of the file; gaps shorter than `least` are left out. */
export function gapsBetween({ starts, ends }: Extents, length: number, least = 1): Extent[] {
  const gaps: Extent[] = []
  let covered = 0
  for (let index = 0; index <= starts.length; index++) {
    const start = starts[index] ?? length
    if (start - covered >= least) gaps.push({ start: covered, end: start })
    covered = Math.max(covered, ends[index] ?? 0)
  }
  return gaps
}
