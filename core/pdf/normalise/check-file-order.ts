// The library that writes a document again takes the last definition of each object in the file; viewers follow the cross-reference table while it is
// readable. A file where the two differ would change what it shows.
import type { PdfBudget } from '../budget.ts'
import { contradictory, PdfError } from '../pdf-error.ts'
import { bufferSource } from '../read/byte-source.ts'
import { readEnds } from '../read/header.ts'
import { readXref, type Xref } from '../read/xref.ts'

const DEFINITION = /(?<![0-9])([0-9]{1,8})[\0\t\n\f\r ]+[0-9]{1,5}[\0\t\n\f\r ]+obj(?![A-Za-z])/g

/** Throws DOCUMENT_INVALID when the table names a definition that is not the last one of its object. An unreadable table decides nothing. */
export function checkFileOrder(bytes: Buffer, budget: PdfBudget): void {
  try {
    const source = bufferSource(bytes)
    checkOrder(bytes, readXref(source, budget, 0, readEnds(source).startxref))
  } catch (error) {
    if (!(error instanceof PdfError) || error.code !== 'DOCUMENT_INVALID' || error.isContradictory) throw error
  }
}

function checkOrder(bytes: Buffer, xref: Xref): void {
  const named = new Set<number>()
  for (const { index, 1: digits } of bytes.toString('latin1').matchAll(DEFINITION)) {
    const num = Number(digits)
    if (named.has(num)) throw contradictory('its cross-reference table refers to an old version of an object')
    const entry = xref.find(num)
    if (entry?.type === 'plain' && entry.offset === index) named.add(num)
  }
}
