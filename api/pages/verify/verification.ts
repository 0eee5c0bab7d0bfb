// The states of a check, and how the answers for one file become its verdict. Pure.
import type { VerificationResponse } from '../../schemas/verification.ts'
import type { Failure } from '../http/failure.ts'

/** What was read of a PDF on the visitor's device. */
export interface SignedFile {
  name: string
  /** Lower-case hex. */
  sha256: string
  /** In the order in which they were found; may hold IDs that are no signatures. */
  signatureIds: string[]
}

export type FileTrouble = 'notPdf' | 'fileTooLarge' | 'fileFailed'

/** One signature and what the service says about it. */
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

// A file can hold any number of look-alikes; a visitor may make 30 checks a minute.
const MAX_IDS_PER_FILE = 20

/** The IDs to ask about for a file: one already known first, then those found in it. */
export function idsToCheck(file: SignedFile, knownId: string | undefined): string[] {
  const ids = knownId === undefined ? file.signatureIds : [knownId, ...file.signatureIds]
  return [...new Set(ids)].slice(0, MAX_IDS_PER_FILE)
}

/**
 * What is shown for a file: every valid signature; if none is, one refusal. IDs in the file that are no signatures
 * (an invoice's, say) must not look like failed ones.
 */
export function worthShowing(verdicts: readonly Verdict[]): readonly Verdict[] {
  const valid = verdicts.filter((verdict) => verdict.result.valid)
  return valid.length > 0 ? valid : verdicts.slice(0, 1)
}
