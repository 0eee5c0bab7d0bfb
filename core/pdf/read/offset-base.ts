// With bytes before the header, offsets count from the start of the file or from the header; writers and viewers differ.
import { isDeepStrictEqual } from 'node:util'
import { isSpace } from './lexer.ts'
import type { Objects } from './objects.ts'
import { contradictory, PdfError } from '../pdf-error.ts'
import { rawOf } from './value.ts'
import type { Xref } from './xref.ts'

/** A writer can put this much white space before the header by accident, not more. */
const MAX_PADDING_BYTES = 16

export interface OpenedObjects {
  readonly objects: Objects
  /** Offsets resolve to the same objects from the header and from byte 0, which are two positions. */
  readonly countsFromBoth: boolean
}

/**
 * Opens the document at the base from which its offsets lead to a catalog. If both bases do, they must lead to the same objects, or one
 * file would hold two documents; then the header is the base.
 */
export function openWithBase(headerOffset: number, open: (base: number) => Objects): OpenedObjects {
  if (headerOffset === 0) return { objects: open(0), countsFromBoth: false }
  const atHeader = attempt(() => open(headerOffset))
  const atStart = attempt(() => open(0))
  if (atHeader instanceof PdfError) {
    if (atStart instanceof PdfError) throw atStart
    return { objects: atStart, countsFromBoth: false }
  }
  if (atStart instanceof PdfError) return { objects: atHeader, countsFromBoth: false }
  if (!isSameFromBoth(atHeader, atStart)) throw contradictory('the bytes before its header let it be read in two ways')
  return { objects: atHeader, countsFromBoth: true }
}

function attempt(read: () => Objects): Objects | PdfError {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError && error.code === 'DOCUMENT_INVALID') return error
    throw error
  }
}

/** Whether both have the same cross-reference entries, and only white space is between the two positions that each entry can mean. */
function isSameFromBoth({ source, base, xref }: Objects, { xref: other }: Objects): boolean {
  if (base > MAX_PADDING_BYTES || !isDeepStrictEqual(shapeOf(xref), shapeOf(other))) return false
  for (const num of listedNumbers(xref)) {
    const entry = xref.find(num)
    if (!isDeepStrictEqual(entry, other.find(num))) return false
    if (entry?.type === 'plain' && !source.read(entry.offset, entry.offset + base).every(isSpace)) return false
  }
  return true
}

function* listedNumbers({ revisions }: Xref): Generator<number> {
  for (const { first, count } of revisions.flatMap(({ main, hidden }) => [...main.subsections, ...(hidden?.subsections ?? [])])) {
    for (let num = first; num < first + count; num++) yield num
  }
}

function shapeOf({ revisions }: Xref) {
  return revisions.map(({ main, hidden }) =>
    [main, hidden].map((part) => part && [part.kind, rawOf(part.trailer), part.subsections]),
  )
}
