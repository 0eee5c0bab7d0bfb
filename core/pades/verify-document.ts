// The verdict on a file for people who have nothing but the file: our seal by the strict check, and every signature in the file.
import { newBudget, SEALED_PDF_LIMITS } from '#core/pdf/budget.ts'
import { PdfError } from '#core/pdf/pdf-error.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { openPdf } from '#core/pdf/read/pdf-file.ts'
import { type ListedSignature, listSignatures } from './signatures/list-signatures.ts'
import { isBroken } from './signatures/refuse-broken.ts'
import { messageFor } from './verify/messages.ts'
import type { Verdict, VerifyReason } from './verify/verdict.ts'
import { verifyPdf, type VerifyOptions } from './verify-pdf.ts'

export interface DocumentVerdict extends Omit<Verdict, 'valid'> {
  /** Null when the file is intact and no trusted certificates were given. */
  readonly valid: boolean | null
  /** Every signature in the file, oldest first. */
  readonly signatures: readonly ListedSignature[]
}

/** Verifies a file and lists its signatures. A broken earlier signature makes it not valid. Throws as verifyPdf does. */
export function verifyDocument(bytes: Buffer, options: VerifyOptions): DocumentVerdict {
  const verdict = verifyPdf(bytes, options)
  const signatures = readSignatures(bytes)
  const isEarlierBroken = signatures.some((each) => each.covers === 'EARLIER_REVISION' && isBroken(each))
  // A file with later changes has no seal that covers it: then the earlier signature is the seal, and has its reason already.
  const reasons: readonly VerifyReason[] =
    isEarlierBroken && !verdict.reasons.includes('COVERAGE_INCOMPLETE')
      ? [...verdict.reasons, 'EARLIER_SIGNATURE_BROKEN']
      : verdict.reasons
  const valid = reasons.length > 0 ? false : verdict.trusted
  return { ...verdict, valid, reasons, message: messageFor(reasons, verdict.trusted), signatures }
}

/** A file that cannot be read has none; the verdict says so. */
function readSignatures(bytes: Buffer): ListedSignature[] {
  try {
    return listSignatures(openPdf(bufferSource(bytes), newBudget(SEALED_PDF_LIMITS)))
  } catch (error) {
    if (error instanceof PdfError) return []
    throw error
  }
}
