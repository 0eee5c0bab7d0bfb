// What a later revision lists. An existing object keeps its number, its generation and its use; its new copy is in the bytes of the revision.
import { isDeepStrictEqual } from 'node:util'
import { spaceEnd } from '../read/object-extent.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import type { XrefEntry } from '../read/xref-entry.ts'
import { findIn, type Revision } from '../read/xref.ts'
import { ChangeNotPermittedError } from './comparison.ts'

interface PlainListing {
  readonly num: number
  readonly gen: number
}

type MemberEntry = Extract<XrefEntry, { type: 'member' }>

export interface Listings {
  /** The objects that begin in the bytes of the revision, by position. */
  readonly plain: ReadonlyMap<number, PlainListing>
  /** The members of its object streams: what is listed for each number. */
  readonly members: ReadonlyMap<number, MemberEntry>
}

/** The entries of this revision that lead elsewhere than before; its bytes begin at `start`. Throws ChangeNotPermittedError. */
export function listingsOf(file: PdfFile, revision: Revision, start: number): Listings {
  const plain = new Map<number, PlainListing>()
  const members = new Map<number, MemberEntry>()
  for (const { num, entry } of newEntries(file, revision)) {
    if (entry.type === 'member') members.set(num, entry)
    if (entry.type !== 'plain') continue
    const position = positionOf(file, entry.offset)
    if (position < start || plain.has(position)) throw outside(num)
    plain.set(position, { num, gen: entry.gen })
  }
  const plainNumbers = new Set(Array.from(plain.values(), ({ num }) => num))
  const stray = [...members].find(([, { stream }]) => !plainNumbers.has(stream))
  if (stray !== undefined) throw outside(stray[0])
  return { plain, members }
}

/** The entries that lead elsewhere than before the revision. */
function* newEntries({ xref }: PdfFile, revision: Revision): Generator<{ num: number; entry: XrefEntry }> {
  const earlier = xref.revisions.slice(xref.revisions.indexOf(revision) + 1)
  for (const num of numbersIn(revision)) {
    const entry = revision.main.find(num)
    const before = findIn(earlier, num, true)
    // The same place in the file is the same object.
    if (entry === undefined || isDeepStrictEqual(entry, before)) continue
    checkKept(num, before, entry)
    yield { num, entry }
  }
}

function positionOf({ source, budget, base }: PdfFile, offset: number): number {
  return spaceEnd(source, budget, base + offset)
}

export function* numbersIn({ main }: Pick<Revision, 'main'>): Generator<number> {
  for (const { first, count } of main.subsections) {
    for (let num = first; num < first + count; num++) yield num
  }
}

/** A reference holds a generation: with another one, or none, it would lead nowhere (ISO 32000-2, 7.3.10). */
function checkKept(num: number, before: XrefEntry | undefined, entry: XrefEntry): void {
  if (before === undefined) return
  if (entry.type === 'free') throw new ChangeNotPermittedError(`object ${num} was removed`)
  if (generationOf(entry) !== generationOf(before)) {
    throw new ChangeNotPermittedError(`object ${num} was given another generation`)
  }
}

/** Objects in object streams have generation 0 (7.5.7). */
export function generationOf(entry: XrefEntry): number {
  return entry.type === 'plain' ? entry.gen : 0
}

function outside(num: number): ChangeNotPermittedError {
  return new ChangeNotPermittedError(`object ${num} was listed where the later revision has none`)
}
