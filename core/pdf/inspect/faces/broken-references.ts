// References that lead nowhere. Below a page they are a matter of what it shows. Elsewhere they are common and harmless, unless a viewer that rebuilds
// the table because of one finds other objects than the table lists.
import { irregular } from '../../pdf-error.ts'
import { replacedEntries } from '../../read/extents.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import type { PdfRef } from '../../read/value.ts'
import { visitLiveObjects } from '../live-objects.ts'
import { readPageUse } from './page-use.ts'
import { isAnswered, type ReferenceMarks } from './reference-marks.ts'
import { definitionsIn } from './unlisted-objects.ts'

interface Broken {
  readonly ref: PdfRef
  /** The object that it is in; undefined for the trailer. */
  readonly from: number | undefined
}

const TRAILER = 0

/** Throws DOCUMENT_INVALID unless the broken references are harmless. `listed`: where listed objects start. */
export function checkReferences(file: PdfFile, marks: ReferenceMarks, listed: ReadonlySet<number>): void {
  const broken: Broken[] = []
  visitLiveObjects(file, {
    reference(ref, from) {
      if (!isAnswered(marks, ref)) broken.push({ ref, from })
    },
  })
  const use = readPageUse(file)
  for (const { ref, from } of broken) {
    const page = use.get(from ?? TRAILER)
    const place = page === undefined ? `in ${nameOf(from)}` : `on page ${page + 1}`
    const isThere = (marks.inUse[ref.num] ?? 0) > 0
    if (isThere) throw irregular(`a reference ${place} names object ${ref.num} with another generation than it has`)
    if (page !== undefined) throw irregular(`a reference ${place} leads to object ${ref.num}, which is missing`)
  }
  const [first] = broken
  const other = findOtherVersion(file, listed)
  if (first === undefined || other === undefined) return
  throw irregular(
    `a reference in ${nameOf(first.from)} leads to object ${first.ref.num}, which is missing, and the file holds another version of object ${other}`,
  )
}

function nameOf(from: number | undefined): string {
  return from === undefined ? 'the trailer' : `object ${from}`
}

/** The number of an object that a rebuilt table would give another version of: a later one in the file, or one within the data of another object. */
function findOtherVersion(file: PdfFile, listed: ReadonlySet<number>): number | undefined {
  for (const { num, entry } of replacedEntries(file)) {
    const current = file.xref.find(num)
    if (current?.type === 'plain' && current.offset < entry.offset) return num
  }
  for (const { num, start } of definitionsIn(file, { start: 0, end: file.source.length })) {
    if (!listed.has(start) && file.xref.find(num) !== undefined) return num
  }
  return undefined
}
