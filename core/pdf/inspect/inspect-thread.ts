// What runs on the threads of the inspection pool. Errors that are meant for the uploader are returned: thrown ones would arrive
// without their class and code.
import { openFileSource } from '../read/byte-source.ts'
import { PdfError, type PdfErrorCode, tooComplex } from '../pdf-fault.ts'
import { inspectPdf } from './inspect-pdf.ts'
import type { Inspection, InspectionOptions } from './inspection.ts'

export interface InspectionTask extends InspectionOptions {
  /** The uploaded file; nothing else may write to it meanwhile. */
  readonly path: string
}

export type InspectionAnswer =
  | { readonly ok: true; readonly inspection: Inspection }
  | { readonly ok: false; readonly code: PdfErrorCode; readonly message: string }

/** Inspects a file. Throws only what is no fault of the document: the file can't be read, or the code is wrong. */
export function inspect({ path, ...options }: InspectionTask): InspectionAnswer {
  using source = openFileSource(path)
  try {
    return { ok: true, inspection: inspectPdf(source, options) }
  } catch (error) {
    const fault = isExhaustion(error) ? tooComplex('it needs too much memory') : error
    if (!(fault instanceof PdfError)) throw error
    return { ok: false, code: fault.code, message: fault.message }
  }
}

/** The budget should be the first to notice; what it overlooks ends as one of these. */
function isExhaustion(error: unknown): boolean {
  return error instanceof RangeError && /call stack|allocation failed|Invalid (?:array|string) length/.test(error.message)
}
