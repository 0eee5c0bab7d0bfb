// What a form and its notes lack so that every viewer shows the same, on the screen and on paper.
import { newBudget, PDF_LIMITS } from '../budget.ts'
import { lacksPrintFlag, openAnnotationCheck, type SplitAnnotation } from '../inspect/annotation-faces.ts'
import { type MissingAppearance, needsAppearances, openAppearanceCheck } from '../inspect/faces/appearance-check.ts'
import { bufferSource } from '../read/byte-source.ts'
import { openPdf } from '../read/pdf-file.ts'

export interface AnnotationFlaws {
  /** Annotations in the order of the pages. */
  readonly missing: readonly MissingAppearance[]
  readonly unprinted: readonly SplitAnnotation[]
  /** Whether the form asks viewers to make appearances. */
  readonly needsAppearances: boolean
}

export function annotationFlaws(bytes: Buffer): AnnotationFlaws {
  const file = openPdf(bufferSource(bytes), newBudget(PDF_LIMITS))
  const missing: MissingAppearance[] = []
  const unprinted: SplitAnnotation[] = []
  const checkAppearances = openAppearanceCheck(file, (each) => missing.push(each))
  const checkFaces = openAnnotationCheck(file, (each) => {
    if (lacksPrintFlag(each)) unprinted.push(each)
  })
  for (const page of file.pages()) {
    checkAppearances(page)
    checkFaces(page)
  }
  return { missing, unprinted, needsAppearances: needsAppearances(file) }
}
