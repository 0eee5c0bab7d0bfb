// Entries of a cross-reference section, the same for tables and streams (ISO 32000-2, 7.5.4 and 7.5.8).
import { malformed } from '../pdf-error.ts'
import type { PdfDict } from './value.ts'

export type XrefEntry =
  | { readonly type: 'free' }
  /** Object in the file itself; the offset is relative to the base of this file. */
  | { readonly type: 'plain'; readonly offset: number; readonly gen: number }
  /** Object in an object stream, as its member number `index`. */
  | { readonly type: 'member'; readonly stream: number; readonly index: number }

export const FREE: XrefEntry = { type: 'free' }

/** ISO 32000-2, 7.5.4; an increment of the other kind could not write a larger one. */
const MAX_GENERATION = 65_535

/** The entry of an object in the file itself. Throws DOCUMENT_INVALID for an invalid generation number. */
export function plainEntry(offset: number, gen: number): XrefEntry {
  if (gen > MAX_GENERATION) throw malformed('its cross-reference table is damaged')
  return { type: 'plain', offset, gen }
}

/** A run of entries for consecutive object numbers; `at` is their position. */
export interface Subsection {
  readonly first: number
  readonly count: number
  readonly at: number
}

export interface XrefSection {
  readonly kind: 'table' | 'stream'
  /** Position of the keyword `xref`, or of the object that is the stream, counted from byte 0 of the file. */
  readonly start: number
  /** Where the trailer dictionary ends, counted likewise. */
  readonly end: number
  readonly trailer: PdfDict
  /** Subsections by object number, without overlap. */
  readonly subsections: readonly Subsection[]
  /** The entry of an object; undefined when this section has none. */
  find(num: number): XrefEntry | undefined
}

/** Sorts subsections. Throws DOCUMENT_INVALID when an object has two entries, because viewers disagree on which one counts. */
export function ordered(subsections: readonly Subsection[]): Subsection[] {
  const sorted = subsections.filter((subsection) => subsection.count > 0).sort((one, other) => one.first - other.first)
  let next = 0
  for (const { first, count } of sorted) {
    if (first < next) throw malformed('its cross-reference table lists an object twice')
    next = first + count
  }
  return sorted
}

/** Finds the subsection of an object number by binary search. */
export function subsectionOf(subsections: readonly Subsection[], num: number): Subsection | undefined {
  let low = 0
  let high = subsections.length
  while (low < high) {
    const middle = (low + high) >> 1
    const subsection = subsections[middle]
    if (subsection === undefined) return undefined
    if (num < subsection.first) high = middle
    else if (num >= subsection.first + subsection.count) low = middle + 1
    else return subsection
  }
  return undefined
}
