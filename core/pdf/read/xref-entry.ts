// What a cross-reference section says about objects, the same for tables and streams (ISO 32000-2, 7.5.4 and 7.5.8).
import { malformed } from '../pdf-fault.ts'
import type { PdfDict } from './value.ts'

export type XrefEntry =
  | { readonly type: 'free' }
  /** Stands in the file by itself; the offset counts from where the offsets of this file count. */
  | { readonly type: 'plain'; readonly offset: number; readonly gen: number }
  /** Stands in an object stream, as its member number `index`. */
  | { readonly type: 'member'; readonly stream: number; readonly index: number }

export const FREE: XrefEntry = { type: 'free' }

/** ISO 32000-2, 7.5.4; an increment of the other kind could not repeat a larger one. */
const LARGEST_GENERATION = 65_535

/** The entry of an object that stands by itself. Throws DOCUMENT_INVALID for a generation that there is none of. */
export function plainEntry(offset: number, gen: number): XrefEntry {
  if (gen > LARGEST_GENERATION) throw malformed('its cross-reference table is damaged')
  return { type: 'plain', offset, gen }
}

/** A run of entries for consecutive object numbers; `at` says where they are written. */
export interface Subsection {
  readonly first: number
  readonly count: number
  readonly at: number
}

export interface XrefSection {
  readonly kind: 'table' | 'stream'
  readonly trailer: PdfDict
  /** In the order of object numbers, without overlap. */
  readonly subsections: readonly Subsection[]
  /** The entry of an object, or undefined when this section has none. */
  find(num: number): XrefEntry | undefined
}

/** Sorts subsections; throws DOCUMENT_INVALID when one object has two entries, because viewers disagree which one counts. */
export function ordered(subsections: readonly Subsection[]): Subsection[] {
  const sorted = subsections.filter((subsection) => subsection.count > 0).sort((one, other) => one.first - other.first)
  let next = 0
  for (const { first, count } of sorted) {
    if (first < next) throw malformed('its cross-reference table lists an object twice')
    next = first + count
  }
  return sorted
}

/** The subsection that holds an object number, by bisection. */
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
