// With bytes before the header, offsets count either from the start of the file or from the header; writers and viewers differ.
import { isDeepStrictEqual } from 'node:util'
import { isSpace } from './lexer.ts'
import type { Objects } from './objects.ts'
import { malformed, PdfError } from '../pdf-fault.ts'
import { rawOf } from './value.ts'
import type { Xref } from './xref.ts'

/** Beyond so many bytes before the header, white space in all the places where it matters is no accident of the writer. */
const MOST_QUIET_BYTES = 16

export interface OpenedObjects {
  readonly objects: Objects
  /** The offsets lead to the same objects from the header and from the start of the file, which are two places. */
  readonly countsFromBoth: boolean
}

/** Opens the document from where its offsets lead to a catalog. Where they do so from both places they must lead to the same objects, or one file would
 *  hold two documents; then they count from the header. */
export function openWithBase(headerOffset: number, open: (base: number) => Objects): OpenedObjects {
  if (headerOffset === 0) return { objects: open(0), countsFromBoth: false }
  const atHeader = attempt(() => open(headerOffset))
  const atStart = attempt(() => open(0))
  if (atHeader instanceof PdfError) {
    if (atStart instanceof PdfError) throw atStart
    return { objects: atStart, countsFromBoth: false }
  }
  if (atStart instanceof PdfError) return { objects: atHeader, countsFromBoth: false }
  if (!isSameFromBoth(atHeader, atStart)) throw malformed('the bytes before its header let it be read in two ways')
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

/** The same cross-reference entries, and nothing but white space between the two places that each of them may mean. */
function isSameFromBoth({ source, base, xref }: Objects, { xref: other }: Objects): boolean {
  if (base > MOST_QUIET_BYTES || !isDeepStrictEqual(shapeOf(xref), shapeOf(other))) return false
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
