// Opens bytes the way uploads are opened, and tells how a document is refused.
import { newBudget, PDF_LIMITS, type PdfLimits } from '#core/pdf/budget.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { openPdf, type PdfFile } from '#core/pdf/read/pdf-file.ts'
import { PdfError } from '#core/pdf/pdf-error.ts'

/** Opens with the limits of uploads, or with tighter ones. */
export function openBytes(bytes: Buffer, limits: Partial<PdfLimits> = {}): PdfFile {
  return openPdf(bufferSource(bytes), newBudget({ ...PDF_LIMITS, ...limits }))
}

/** Reads every page, and every object with its decoded data: whatever reading can come across. */
export function readEverything(file: PdfFile): void {
  for (const page of file.pages()) file.resolve(page.dict)
  for (const num of file.objectNumbers()) {
    const value = file.get(num)
    if (value.kind === 'stream') file.decode(value)
  }
}

/** "CODE: reason", the reason without the sentence around it; "accepted" when nothing is refused. Other errors pass through. */
export function refusalOf(act: () => unknown): string {
  try {
    act()
    return 'accepted'
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    return `${error.code}: ${error.message.replace(/^The document is [^:]*: /, '').replace(/\.$/, '')}`
  }
}
