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
  /** The verification codes printed in its seals, by signature ID. */
  printedCodes: ReadonlyMap<string, string>
}

export type FileTrouble = 'notPdf' | 'fileTooLarge' | 'fileFailed'

/** One signature and the service's verdict. */
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

// A file can contain any number of similar IDs; a visitor may make 30 requests a minute.
const MAX_IDS_PER_FILE = 20
const MAX_CODES_PER_FILE = 9

/** The IDs to verify for a file: a known one first, then those found in it. */
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
 * What is shown for a file: refusals first, then the valid signatures. IDs in the file that are no signatures (such as an invoice number)
 * must not look like failed ones: one of them is shown only if there is nothing else.
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
