// The inspection of a report of ours, for its seal: hidden, because the last page has no room that is surely free.
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import { readSealPlan } from '#core/pdf/plan/seal-plan.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { openPdf } from '#core/pdf/read/pdf-file.ts'

/** Reads what a hidden seal needs. Throws PdfError for a file that cannot be read. */
export function planSeal(pdf: Buffer): Inspection {
  const file = openPdf(bufferSource(pdf), newBudget(PDF_LIMITS))
  const { pageCount } = file
  return { pageCount, markers: [], plan: readSealPlan(file, []), signatures: 0, certification: null, ink: [], warnings: [] }
}
