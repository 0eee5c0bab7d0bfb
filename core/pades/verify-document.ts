// The verdict on a file for people who have nothing but the file: our seal by the strict check, and every signature in the file. A seal
// that others signed later is checked in the file as it was sealed; what came after it counts only as far as the seal permits it.
import { newBudget, SEALED_PDF_LIMITS } from '#core/pdf/budget.ts'
import { PdfError } from '#core/pdf/pdf-error.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { openPdf } from '#core/pdf/read/pdf-file.ts'
import { type ListedSignature, listSignatures } from './signatures/list-signatures.ts'
import { isBroken } from './signatures/refuse-broken.ts'
import { messageFor } from './verify/messages.ts'
import type { Verdict, VerifyReason } from './verify/verdict.ts'
import { verifyPdf, type VerifyOptions } from './verify-pdf.ts'

export interface JudgedSignature extends ListedSignature {
  /** Relative to the seal that the verdict is about; absent when there is none, or when the byte range of the signature is not sane. */
  readonly role?: 'SEAL' | 'EARLIER' | 'LATER'
}

export interface DocumentVerdict extends Omit<Verdict, 'valid'> {
  /** Null when the file is intact and no trusted certificates were given. */
  readonly valid: boolean | null
  /** How many bytes from the start of the file are the sealed document; null without a seal. */
  readonly sealedBytes: number | null
  /** Signatures by others after the seal, time stamps not counted. Who made them is not checked. */
  readonly laterSignatures: number
  /** Every signature in the file, oldest first. */
  readonly signatures: readonly JudgedSignature[]
}

interface Candidate {
  readonly seal: ListedSignature | undefined
  readonly verdict: Verdict
}

/**
 * Verifies a file and lists its signatures. It is not valid when any of them is broken, or when the seal does not permit what came after
 * it. Throws as verifyPdf does.
 */
export function verifyDocument(bytes: Buffer, options: VerifyOptions): DocumentVerdict {
  const listed = readSignatures(bytes)
  const { seal, verdict } = findSeal(bytes, listed, options)
  const signatures = listed.map((each) => ({ ...each, ...roleOf(each, seal) }))
  const reasons = [...verdict.reasons, ...reasonsIn(signatures, verdict.reasons)]
  const laterSignatures = signatures.filter(({ role, timeStamp }) => role === 'LATER' && timeStamp !== true).length
  return {
    ...verdict,
    valid: reasons.length > 0 ? false : verdict.trusted,
    reasons,
    message: messageFor(reasons, verdict.trusted, { isExtended: seal?.laterChanges === 'PERMITTED', laterSignatures }),
    sealedBytes: seal?.coveredBytes ?? null,
    laterSignatures,
    signatures,
  }
}

/** The newest seal that is valid in the file as it was sealed; if none is, the newest one. */
function findSeal(bytes: Buffer, listed: readonly ListedSignature[], options: VerifyOptions): Candidate {
  const seals = listed.filter(({ id, coveredBytes }) => id !== undefined && coveredBytes !== undefined).toReversed()
  let newest: Candidate | undefined
  for (const seal of seals) {
    const verdict = verifyPdf(bytes.subarray(0, seal.coveredBytes), options)
    if (verdict.valid) return { seal, verdict }
    newest ??= { seal, verdict }
  }
  return newest ?? { seal: listed.find(({ covers }) => covers === 'WHOLE_FILE'), verdict: verifyPdf(bytes, options) }
}

function roleOf({ coveredBytes }: ListedSignature, seal: ListedSignature | undefined): Pick<JudgedSignature, 'role'> {
  if (seal?.coveredBytes === undefined || coveredBytes === undefined) return {}
  if (coveredBytes === seal.coveredBytes) return { role: 'SEAL' }
  return { role: coveredBytes < seal.coveredBytes ? 'EARLIER' : 'LATER' }
}

/** What is wrong besides the seal itself. */
function reasonsIn(signatures: readonly JudgedSignature[], known: readonly VerifyReason[]): VerifyReason[] {
  // Without a seal that covers a part of the file, this reason is about those signatures already.
  if (known.includes('COVERAGE_INCOMPLETE')) return []
  const changed = signatures.some(({ role, laterChanges }) => role === 'SEAL' && laterChanges === 'NOT_PERMITTED')
  const broken = signatures.filter(isBroken)
  return [
    ...(changed ? (['COVERAGE_INCOMPLETE'] as const) : []),
    ...(broken.some(({ role }) => role === 'EARLIER' || role === undefined) ? (['EARLIER_SIGNATURE_BROKEN'] as const) : []),
    ...(broken.some(({ role }) => role === 'LATER') ? (['LATER_SIGNATURE_BROKEN'] as const) : []),
  ]
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
