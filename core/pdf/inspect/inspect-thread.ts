// Runs on the threads of the inspection pool. Errors for the uploader are returned, because thrown ones lose their class and code on the way.
import { type ByteSource, openFileSource } from '../read/byte-source.ts'
import { PdfError, type PdfErrorCode, tooComplex } from '../pdf-error.ts'
import { inspectPdf } from './inspect-pdf.ts'
import type { Inspection, InspectionOptions } from './inspection.ts'

export interface InspectionTask extends InspectionOptions {
  /** The uploaded file; nothing else may write to it. */
  readonly path: string
}

export type InspectionAnswer =
  | { readonly ok: true; readonly inspection: Inspection }
  | { readonly ok: false; readonly code: PdfErrorCode; readonly message: string }

/**
 * Inspects a file; `checkSignatures` throws PdfError for a signed document with a broken signature. Throws only what the document did not
 * cause: an unreadable file, or a bug.
 */
export function inspect({ path, ...options }: InspectionTask, checkSignatures: (source: ByteSource) => void): InspectionAnswer {
  using source = openFileSource(path)
  try {
    const inspection = inspectPdf(source, options)
    if (inspection.signatures > 0) checkSignatures(source)
    return { ok: true, inspection }
  } catch (error) {
    const pdfError = isExhaustion(error) ? tooComplex('it takes too much memory') : error
    if (!(pdfError instanceof PdfError)) throw error
    return { ok: false, code: pdfError.code, message: pdfError.message }
  }
}

/** The budget should catch these cases first; this catches what it misses. */
function isExhaustion(error: unknown): boolean {
  return error instanceof RangeError && /call stack|allocation failed|Invalid (?:array|string) length/.test(error.message)
}
