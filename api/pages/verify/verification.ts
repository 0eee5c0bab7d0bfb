// The states of a verification, and how the responses for one file are combined into a verdict. Pure.
import type { VerificationResponse } from '../../schemas/verification.ts'
import type { Failure } from '../http/failure.ts'

/** What was read from a PDF on the visitor's device. */
export interface SignedFile {
  name: string
  /** Lower-case hex. */
  sha256: string
  /** In the order found; may contain IDs that are not signatures. */
  signatureIds: string[]
}

export type FileTrouble = 'notPdf' | 'fileTooLarge' | 'fileFailed'

/** One signature and the service's verdict. */
export interface Verdict {
  id: string
  result: VerificationResponse
}

export type Verification =
  | { phase: 'idle' }
  | { phase: 'reading' }
  | { phase: 'checking' }
  | { phase: 'judged'; verdicts: readonly Verdict[]; file: SignedFile | undefined }
  | { phase: 'unreadable'; trouble: FileTrouble }
  | { phase: 'idless'; file: SignedFile }
  | { phase: 'failed'; failure: Failure; file: SignedFile | undefined }

// A file can contain any number of similar IDs; a visitor may make 30 requests a minute.
const MAX_IDS_PER_FILE = 20

/** The IDs to verify for a file: a known one first, then those found in it. */
export function idsToCheck(file: SignedFile, knownId: string | undefined): string[] {
  const ids = knownId === undefined ? file.signatureIds : [knownId, ...file.signatureIds]
  return [...new Set(ids)].slice(0, MAX_IDS_PER_FILE)
}

/**
 * The verdicts shown for a file: every valid signature; if there is none, one negative verdict. IDs in the file that are not
 * signatures (such as an invoice number) must not look like failed ones.
 */
export function worthShowing(verdicts: readonly Verdict[]): readonly Verdict[] {
  const valid = verdicts.filter((verdict) => verdict.result.valid)
  return valid.length > 0 ? valid : verdicts.slice(0, 1)
}
