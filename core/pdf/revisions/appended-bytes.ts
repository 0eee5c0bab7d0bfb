// Explains every byte behind a signature: it belongs to an object that its revision lists, to the table or stream that lists it, to the end
// of the revision, or is white space or a comment. A reader that rebuilds the table takes any object that it finds, listed or not.
import { chargeParsed } from '../budget.ts'
import { readFrom } from '../read/indirect-object.ts'
import { startsWith } from '../read/lexer.ts'
import { type ObjectExtent, readExtent, spaceEnd } from '../read/object-extent.ts'
import { openObjectStream } from '../read/object-stream.ts'
import { readToken } from '../read/parser.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { countOf } from '../read/value.ts'
import type { Revision } from '../read/xref.ts'
import { ChangeNotPermittedError, isObjectStream } from './comparison.ts'
import { hiddenStructure } from './hidden-structure.ts'
import { type Listings, listingsOf } from './listings.ts'

const START = 'startxref'
/** Readers look for startxref near the end only (ISO 32000-1, annex H.3), and search the whole file when it is not there. */
const MAX_END_BYTES = 512

/**
 * Checks the bytes from `start` to the end of the file, which the revisions `later` (newest first) have added. Throws ChangeNotPermittedError
 * for what is not explained, and PdfError as reading does.
 */
export function checkAppendedBytes(file: PdfFile, start: number, later: readonly Revision[]): void {
  const { source, budget } = file
  chargeParsed(budget, source.length - start)
  const keywords = new Set<number>()
  let at = start
  for (const revision of later.toReversed()) at = checkRevision(file, revision, at, keywords)
  if (spaceEnd(source, budget, at) < source.length || source.length - at > MAX_END_BYTES) throw unlisted()
  const hidden = hiddenStructure(source, start, keywords)
  if (hidden !== undefined) throw new ChangeNotPermittedError(`${hidden} was hidden in what was added`)
}

type Listed = Listings['plain'] extends ReadonlyMap<number, infer Object> ? Object : never

/** Reads the revision piece by piece from `start` and returns where it ends. Adds the positions of its keywords to `keywords`. */
function checkRevision(file: PdfFile, revision: Revision, start: number, keywords: Set<number>): number {
  const { source, budget } = file
  const { main, offset } = revision
  const listings = listingsOf(file, revision, start)
  const section = spaceEnd(source, budget, main.start)
  const waiting = new Map<number, Listed | undefined>([[section, undefined], ...listings.plain])
  let at = spaceEnd(source, budget, start)
  while (waiting.has(at)) {
    const listed = waiting.get(at)
    waiting.delete(at)
    const isTable = at === section && main.kind === 'table'
    const end = isTable ? checkTable(file, revision, keywords) : checkObject(file, at, { listed, listings, keywords })
    at = spaceEnd(source, budget, end)
  }
  if (waiting.size > 0) throw unlisted()
  keywords.add(at)
  return readStart(file, at, offset)
}

/** Returns where the table ends, its trailer included. */
function checkTable({ source, budget }: PdfFile, { main }: Revision, keywords: Set<number>): number {
  keywords.add(spaceEnd(source, budget, main.end - main.trailer.end))
  return main.end
}

interface Context {
  /** Undefined for a cross-reference stream, which need not list itself; then its number is that of no other object. */
  readonly listed: Listed | undefined
  readonly listings: Listings
  readonly keywords: Set<number>
}

/** Returns where the object ends. */
function checkObject(file: PdfFile, at: number, { listed, listings, keywords }: Context): number {
  const extent = readExtent(file, at)
  const isAsListed = listed === undefined ? file.xref.find(extent.num) === undefined : isSameObject(listed, extent)
  if (!isAsListed) throw unlisted()
  if (isObjectStream(extent.value)) checkMembers(file, extent, listings)
  keywords.add(extent.keyword)
  return extent.end
}

function isSameObject(one: Listed, other: Listed): boolean {
  return one.num === other.num && one.gen === other.gen
}

/** A reader that rebuilds the table takes every member for an object of the document. */
function checkMembers(file: PdfFile, { num, value }: ObjectExtent, { members }: Listings): void {
  const data = value.kind === 'stream' ? file.decode(value) : undefined
  if (value.kind !== 'stream' || data === undefined) throw unlisted()
  const { numbers } = openObjectStream(value.dict, data, file.budget, (each) => file.resolve(each))
  for (const [index, member] of numbers.entries()) {
    const entry = members.get(member)
    if (entry?.stream !== num || entry.index !== index) {
      throw new ChangeNotPermittedError('an object stream with members that are not listed was added')
    }
  }
}

/** Returns the position after the number of startxref, which must name the revision. */
function readStart({ source, budget }: PdfFile, at: number, offset: number): number {
  return readFrom(source, budget, at, (cursor) => {
    if (!startsWith(cursor, 0, START)) throw unlisted()
    cursor.at = START.length
    if (countOf(readToken(cursor)) !== offset) throw unlisted()
    return at + cursor.at
  })
}

function unlisted(): ChangeNotPermittedError {
  return new ChangeNotPermittedError('bytes that belong to no object of the document were added')
}
