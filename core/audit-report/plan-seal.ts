// The seal plan of a report of ours.
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { readSealPlan, type SealPlan } from '#core/pdf/plan/seal-plan.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { openPdf } from '#core/pdf/read/pdf-file.ts'

/** What a hidden seal needs: the last page has no room that is surely free. Throws PdfError for a file that cannot be read. */
export function planSeal(pdf: Buffer): SealPlan {
  return readSealPlan(openPdf(bufferSource(pdf), newBudget(PDF_LIMITS)), [])
}
