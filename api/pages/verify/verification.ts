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
  /** The verification codes printed in its seals, by signature ID. */
  printedCodes: ReadonlyMap<string, string>
}

export type FileTrouble = 'notPdf' | 'fileTooLarge' | 'fileFailed'

/** One signature and what the service says about it. */
export interface Verdict {
  id: string
  result: VerificationResponse
  /** The signing as its code proves it, where the file is not the one that was sealed. */
  onRecord?: VerificationResponse
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
const MAX_CODES_PER_FILE = 9

/** The IDs to ask about for a file: one already known first, then those found in it. */
export function idsToCheck(file: SignedFile, knownId: string | undefined): string[] {
  const ids = knownId === undefined ? file.signatureIds : [knownId, ...file.signatureIds]
  return [...new Set(ids)].slice(0, MAX_IDS_PER_FILE)
}

/** The refused IDs whose printed codes can show that they are signatures: then the file is not the one that was sealed. */
export function codesToCheck(verdicts: readonly Verdict[], file: SignedFile): { verdict: Verdict; code: string }[] {
  const unknown = verdicts.filter((verdict) => !isOurs(verdict))
  return unknown
    .flatMap((verdict) => {
      const code = file.printedCodes.get(verdict.id)
      return code === undefined ? [] : [{ verdict, code }]
    })
    .slice(0, MAX_CODES_PER_FILE)
}

/** Whether this verdict is a refusal that must not be hidden. */
export function isRefusal({ result }: Verdict): boolean {
  return !result.valid
}

/**
 * What is shown for a file: refusals first, then the valid signatures. IDs in the file that are no signatures (an invoice's, say) must not
 * look like failed ones: one of them is shown only if there is nothing else.
 */
export function worthShowing(verdicts: readonly Verdict[]): readonly Verdict[] {
  const ours = verdicts.filter(isOurs)
  if (ours.length === 0) return verdicts.slice(0, 1)
  return [...ours.filter(isRefusal), ...ours.filter((verdict) => !isRefusal(verdict))]
}

/** The service names the signer only of a signature that it knows. */
function isOurs({ result, onRecord }: Verdict): boolean {
  return result.valid || result.signerName !== undefined || onRecord !== undefined
}
