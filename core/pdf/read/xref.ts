// The chain of cross-reference sections, newest first (ISO 32000-2, 7.5.4 to 7.5.8). Every lookup follows it. The order of objects in the
// file has no effect; otherwise a second copy of an object could replace what the signers saw.
import type { PdfBudget } from '../budget.ts'
import type { ByteSource } from './byte-source.ts'
import { readFrom } from './indirect-object.ts'
import { skipSpace, startsWith } from './lexer.ts'
import { refuseDuplicateKeys } from './duplicate-keys.ts'
import { malformed, tooComplex } from '../pdf-error.ts'
import { countOf, type PdfDict } from './value.ts'
import type { XrefEntry, XrefSection } from './xref-entry.ts'
import { readXrefStream } from './xref-stream.ts'
import { readXrefTable } from './xref-table.ts'

/** One revision; in a hybrid-reference file a stream with objects hidden from old readers accompanies the table. */
export interface Revision {
  /** Offset as startxref or /Prev names it, relative to the base. */
  readonly offset: number
  readonly main: XrefSection
  readonly hidden: XrefSection | undefined
}

export interface Xref {
  /** Newest first; never empty. */
  readonly revisions: readonly Revision[]
  readonly newest: XrefSection
  readonly hybrid: boolean
  /** The effective entry of an object; undefined when it is free or unknown. */
  find(num: number): XrefEntry | undefined
}

/** Reads the chain from `startxref`. Offsets are relative to byte `base` of the file. */
export function readXref(source: ByteSource, budget: PdfBudget, base: number, startxref: number): Xref {
  const revisions: Revision[] = []
  const seen = new Set<number>()
  let entries = 0
  for (let offset: number | undefined = startxref; offset !== undefined;) {
    if (seen.has(offset)) throw malformed('its cross-reference tables refer to each other in a loop')
    seen.add(offset)
    if (seen.size > budget.limits.xrefSections) throw tooComplex('it has too many revisions')
    const main = readSection(source, budget, base + offset)
    const hidden = readHidden(source, budget, base, main)
    revisions.push({ offset, main, hidden })
    entries += entryCount(main) + (hidden === undefined ? 0 : entryCount(hidden))
    if (entries > budget.limits.xrefEntries) throw tooComplex('its cross-reference table is too long')
    offset = offsetIn(main.trailer, 'Prev')
  }
  const newest = revisions[0]?.main
  if (newest === undefined) throw malformed('it has no cross-reference table')
  const hybrid = revisions.some((revision) => revision.hidden !== undefined)
  return { revisions, newest, hybrid, find: (num) => findIn(revisions, num, true) }
}

/** The effective entry of an object, undefined when it is free or unknown: as readers of hybrid-reference files see it, or as older readers do. */
export function findIn(revisions: readonly Revision[], num: number, withHidden: boolean): XrefEntry | undefined {
  for (const { main, hidden } of revisions) {
    const entry = main.find(num)
    if (isInUse(entry)) return entry
    const shadow = withHidden ? hidden?.find(num) : undefined
    if (isInUse(shadow)) return shadow
    if (entry ?? shadow) return undefined
  }
  return undefined
}

function isInUse(entry: XrefEntry | undefined): boolean {
  return entry !== undefined && entry.type !== 'free'
}

function readSection(source: ByteSource, budget: PdfBudget, position: number): XrefSection {
  if (position >= source.length) throw malformed('its cross-reference table is not where the end of the file says')
  const table = readFrom(source, budget, position, (cursor) => {
    const at = skipSpace(cursor, 0)
    return startsWith(cursor, at, 'xref') ? position + at : undefined
  })
  return table === undefined ? readXrefStream(source, budget, position) : readXrefTable(source, budget, table)
}

function readHidden(source: ByteSource, budget: PdfBudget, base: number, main: XrefSection): XrefSection | undefined {
  if (main.kind !== 'table') return undefined
  const offset = offsetIn(main.trailer, 'XRefStm')
  return offset === undefined ? undefined : readXrefStream(source, budget, base + offset)
}

function offsetIn(trailer: PdfDict, key: string): number | undefined {
  const value = trailer.entries.get(key)
  if (value === undefined) return undefined
  const offset = countOf(value)
  if (offset === undefined) throw malformed('its trailer is damaged')
  refuseDuplicateKeys(trailer, 'its trailer has the same key twice')
  return offset
}

function entryCount(section: XrefSection): number {
  return section.subsections.reduce((sum, subsection) => sum + subsection.count, 0)
}
