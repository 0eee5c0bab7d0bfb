// The library that writes a document again takes the last definition of each object in the file; viewers follow the cross-reference table while it is
// readable. A file where the two differ would change what it shows.
import type { PdfBudget } from '../budget.ts'
import { contradictory, PdfError } from '../pdf-error.ts'
import { bufferSource } from '../read/byte-source.ts'
import { definitionsIn } from '../read/definitions.ts'
import { readEnds } from '../read/header.ts'
import type { XrefEntry } from '../read/xref-entry.ts'
import { readXref, type Xref } from '../read/xref.ts'

const NONE: ReadonlySet<number> = new Set()

/**
 * The numbers of objects in the file that its table does not list, so that viewers read them as null (ISO 32000-2, 7.3.10). Throws DOCUMENT_INVALID when the
 * table names a definition that is not the last one of its object. A damaged table, or one without the newest objects, decides nothing.
 */
export function checkFileOrder(bytes: Buffer, budget: PdfBudget): ReadonlySet<number> {
  try {
    const source = bufferSource(bytes)
    return compareOrder(bytes, readXref(source, budget, 0, readEnds(source).startxref))
  } catch (error) {
    if (!(error instanceof PdfError) || error.code !== 'DOCUMENT_INVALID' || error.isContradictory) throw error
    return NONE
  }
}

function compareOrder(bytes: Buffer, xref: Xref): ReadonlySet<number> {
  const entries = new Map<number, XrefEntry | undefined>()
  const named = new Set<number>()
  for (const { num, at } of definitionsIn(bytes)) {
    const entry = entries.get(num) ?? xref.find(num)
    entries.set(num, entry)
    const container = entry?.type === 'member' ? entry.stream : num
    if (named.has(container)) throw contradictory(`its cross-reference table refers to an old version of object ${num}`)
    if (entry?.type === 'plain' && entry.offset === at) named.add(num)
  }
  const misplaced = [...entries].some(([num, entry]) => entry?.type === 'plain' && !named.has(num))
  return misplaced ? NONE : new Set([...entries.keys()].filter((num) => entries.get(num) === undefined))
}
