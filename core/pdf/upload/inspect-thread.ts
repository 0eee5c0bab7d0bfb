// Runs in the processes of the inspection pool. Errors for the uploader are returned, because thrown ones lose their class and code on the way.
import { PdfError, type PdfErrorCode, tooComplex } from '../pdf-error.ts'
import { inspectUpload, type UploadTools } from './inspect-upload.ts'
import type { InspectedUpload, UploadOptions } from '../inspect/inspection.ts'

export interface InspectionTask extends UploadOptions {
  /** The uploaded file, which is replaced when it has to be normalised; nothing else may write to it. */
  readonly path: string
}

export type InspectionAnswer =
  | ({ readonly ok: true } & InspectedUpload)
  | { readonly ok: false; readonly code: PdfErrorCode; readonly message: string }

/**
 * Inspects a file; `checkSignatures` of the tools throws PdfError for a signed document with a broken signature. Throws only what the document did not
 * cause: an unreadable file, or a bug.
 */
export async function inspect({ path, ...options }: InspectionTask, tools: UploadTools): Promise<InspectionAnswer> {
  try {
    return { ok: true, ...(await inspectUpload(path, options, tools)) }
  } catch (error) {
    const pdfError = isExhaustion(error) ? tooComplex('it needs too much memory') : error
    if (!(pdfError instanceof PdfError)) throw error
    return { ok: false, code: pdfError.code, message: withAdvice(pdfError) }
  }
}

/** A message with only a flaw does not say what to do. */
function withAdvice({ code, reason, message }: PdfError): string {
  return reason === '' || code !== 'DOCUMENT_INVALID' ? message : `${message} Open it and save it again as PDF.`
}

/** The budget should catch these cases first; this catches what it misses. */
function isExhaustion(error: unknown): boolean {
  return error instanceof RangeError && /call stack|allocation failed|Invalid (?:array|string) length/.test(error.message)
}
