// Opens bytes as uploads are opened, and returns errors as text.
import { newBudget, PDF_LIMITS, type PdfLimits } from '#core/pdf/budget.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { openPdf, type PdfFile } from '#core/pdf/read/pdf-file.ts'
import { PdfError } from '#core/pdf/pdf-error.ts'

/** Opens with the limits of uploads, or with stricter ones. */
export function openBytes(bytes: Buffer, limits: Partial<PdfLimits> = {}): PdfFile {
  return openPdf(bufferSource(bytes), newBudget({ ...PDF_LIMITS, ...limits }))
}

/** Reads every page, and every object with its decoded data. */
export function readEverything(file: PdfFile): void {
  for (const page of file.pages()) file.resolve(page.dict)
  for (const num of file.objectNumbers()) {
    const value = file.get(num)
    if (value.kind === 'stream') file.decode(value)
  }
}

/** "CODE: reason", the reason without its sentence frame; "accepted" without an error. Other errors are rethrown. */
export function refusalOf(act: () => unknown): string {
  try {
    act()
    return 'accepted'
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    return `${error.code}: ${error.message.replace(/^The document is [^:]*: /, '').replace(/\.$/, '')}`
  }
}
