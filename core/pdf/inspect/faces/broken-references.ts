// References that lead nowhere. Below a page they are a matter of what it shows. Elsewhere they are common and harmless, unless a viewer that rebuilds
// the table because of one finds other objects than the table lists.
import { irregular } from '../../pdf-error.ts'
import { type Extents, replacedEntries, startsAt } from '../../read/extents.ts'
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

/** Throws DOCUMENT_INVALID unless the broken references are harmless. `listed`: the objects of all revisions, sorted. */
export function checkReferences(file: PdfFile, marks: ReferenceMarks, listed: Extents): void {
  const broken: Broken[] = []
  visitLiveObjects(file, {
    reference(ref, from) {
      if (!isAnswered(marks, ref)) broken.push({ ref, from })
    },
  })
  const wrong = broken.find(({ ref }) => (marks.inUse[ref.num] ?? 0) > 0)
  const use = readPageUse(file, {
    reference(ref, page) {
      if (isAnswered(marks, ref) || wrong !== undefined) return
      throw irregular(`a reference on page ${page + 1} leads to object ${ref.num}, which is missing`)
    },
  })
  if (wrong !== undefined) {
    const page = wrong.from === undefined ? undefined : use.get(wrong.from)
    const place = page === undefined ? `in ${nameOf(wrong.from)}` : `on page ${page + 1}`
    throw irregular(`a reference ${place} names object ${wrong.ref.num} with another generation than it has`)
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
function findOtherVersion(file: PdfFile, listed: Extents): number | undefined {
  for (const { num, entry } of replacedEntries(file)) {
    const current = file.xref.find(num)
    if (current?.type === 'plain' && current.offset < entry.offset) return num
  }
  for (const { num, start } of definitionsIn(file, { start: 0, end: file.source.length })) {
    if (!startsAt(listed, start) && file.xref.find(num) !== undefined) return num
  }
  return undefined
}
