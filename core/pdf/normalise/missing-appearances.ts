// What a form and its notes lack so that every viewer shows the same.
import { newBudget, PDF_LIMITS } from '../budget.ts'
import { type MissingAppearance, needsAppearances, openAppearanceCheck } from '../inspect/faces/appearance-check.ts'
import { bufferSource } from '../read/byte-source.ts'
import { openPdf } from '../read/pdf-file.ts'

/** Lists missing appearances in the order of the pages. */
export function missingAppearances(bytes: Buffer): MissingAppearance[] {
  const file = openPdf(bufferSource(bytes), newBudget(PDF_LIMITS))
  const missing: MissingAppearance[] = []
  const check = openAppearanceCheck(file, (each) => missing.push(each))
  for (const page of file.pages()) check(page)
  return missing
}

/** Whether an appearance is missing, or the form asks viewers to make them. */
export function hasMissingAppearances(bytes: Buffer): boolean {
  return needsAppearances(openPdf(bufferSource(bytes), newBudget(PDF_LIMITS))) || missingAppearances(bytes).length > 0
}
