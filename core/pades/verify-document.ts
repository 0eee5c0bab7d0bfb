// The verdict on a file for people who have nothing but the file: our seal by the strict check, and every signature in the file. A seal
// that others signed later is checked in the file as it was sealed; what came after it counts only as far as the seal permits it.
import { newBudget, SEALED_PDF_LIMITS } from '#core/pdf/budget.ts'
import { PdfError } from '#core/pdf/pdf-error.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { openPdf, type PdfFile } from '#core/pdf/read/pdf-file.ts'
import { isSameSealer } from './signatures/further-seals.ts'
import { type CheckedSignature, checkSignatures, type ListedSignature, listSignatures } from './signatures/list-signatures.ts'
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
  /** Whether the seal covers the file to its end; false also without a seal. */
  readonly coversWholeFile: boolean
  /** How many bytes from the start of the file are the sealed document; null without a seal. */
  readonly sealedBytes: number | null
  /** Signatures by others after the seal, time stamps not counted. Who made them is not checked. */
  readonly laterSignatures: number
  /** Every signature in the file, oldest first. */
  readonly signatures: readonly JudgedSignature[]
}

const UNREADABLE: VerifyReason = 'LATER_CHANGES_UNREADABLE'

interface Candidate {
  readonly seal: CheckedSignature | undefined
  readonly verdict: Verdict
}

/**
 * Verifies a file and lists its signatures. It is not valid when any of them is broken, or when the seal does not permit what came after
 * it. Throws as verifyPdf does.
 */
export function verifyDocument(bytes: Buffer, options: VerifyOptions): DocumentVerdict {
  const { file, checked, readable, tail } = open(bytes)
  const { seal, verdict } = findSeal(readable, checked, options)
  const sealedBytes = seal?.signed?.end ?? null
  const listed = file === undefined ? [] : list(file, checked, seal)
  const signatures = (listed ?? []).map((each) => ({ ...each, ...roleOf(each, sealedBytes) }))
  const later = listed === undefined ? [UNREADABLE] : reasonsIn(signatures, verdict.reasons)
  const reasons = [...new Set<VerifyReason>([...verdict.reasons, ...later, ...tail])]
  const laterSignatures = signatures.filter(({ role, timeStamp }) => role === 'LATER' && timeStamp !== true).length
  const coversWholeFile = sealedBytes === bytes.length
  const rest = coversWholeFile || sealedBytes === null ? undefined : { sealedBytes, laterSignatures }
  return {
    ...verdict,
    valid: reasons.length > 0 ? false : verdict.trusted,
    reasons,
    message: messageFor(reasons, verdict.trusted, rest),
    coversWholeFile,
    sealedBytes,
    laterSignatures,
    signatures,
  }
}

/** The newest seal that is valid in the file as it was sealed; if none is, the newest one. */
function findSeal(bytes: Buffer, checked: readonly CheckedSignature[], options: VerifyOptions): Candidate {
  const seals = checked.filter(({ isSeal, signed }) => isSeal && signed !== undefined).toReversed()
  let newest: Candidate | undefined
  for (const seal of seals) {
    const verdict = verifyPdf(bytes.subarray(0, seal.signed?.end), options)
    if (verdict.valid) return { seal, verdict }
    newest ??= { seal, verdict }
  }
  return newest ?? { seal: checked.find(({ signed }) => signed?.end === bytes.length), verdict: verifyPdf(bytes, options) }
}

/** Undefined when the file cannot be read on. The seals of the one sealer close the document; those of another service are signatures like any other. */
function list(file: PdfFile, checked: CheckedSignature[], seal: Candidate['seal']): ListedSignature[] | undefined {
  const sealer = seal?.integrity
  const isOfSealer = ({ integrity }: CheckedSignature): boolean =>
    sealer === undefined || (integrity !== undefined && isSameSealer(sealer, integrity))
  return unlessUnreadable(() => listSignatures(file, checked, (each) => each === seal || isOfSealer(each)))
}

function roleOf({ coveredBytes }: ListedSignature, sealedBytes: number | null): Pick<JudgedSignature, 'role'> {
  if (sealedBytes === null || coveredBytes === undefined) return {}
  if (coveredBytes === sealedBytes) return { role: 'SEAL' }
  return { role: coveredBytes < sealedBytes ? 'EARLIER' : 'LATER' }
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

interface Opened {
  readonly file: PdfFile | undefined
  readonly checked: CheckedSignature[]
  /** The bytes up to the end of the document; all of them when there is none. */
  readonly readable: Buffer
  /** What is wrong when more bytes follow. */
  readonly tail: readonly VerifyReason[]
}

/** A file that cannot be read has no signatures; the verdict says so. What was added behind its end leaves the document before it readable. */
function open(bytes: Buffer): Opened {
  for (const readable of [bytes, bytes.subarray(0, endOf(bytes))]) {
    const opened = unlessUnreadable(() => {
      const file = openPdf(bufferSource(readable), newBudget(SEALED_PDF_LIMITS))
      const checked = checkSignatures(file)
      const isSigned = readable.length < bytes.length && checked.length > 0
      return { file, checked, readable, tail: isSigned ? (['COVERAGE_INCOMPLETE'] as const) : [] }
    })
    if (opened !== undefined) return opened
  }
  return { file: undefined, checked: [], readable: bytes, tail: [] }
}

const END = /^startxref\s+\d+\s+%%EOF\s*/
const LONGEST_END = 64

/** Where the last end of a document is (ISO 32000-2, 7.5.5). */
function endOf(bytes: Buffer): number {
  const start = Math.max(0, bytes.lastIndexOf('startxref'))
  return start + (END.exec(bytes.toString('latin1', start, start + LONGEST_END))?.[0].length ?? 0)
}

function unlessUnreadable<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}
