// The states of a verification, and how the responses for one file are combined into a verdict. Pure.
import type { VerificationResponse } from '../../schemas/verification.ts'
import type { Failure } from '../http/failure.ts'
import type { Revision } from './earlier-revisions.ts'

/** What was read from a PDF on the visitor's device. */
export interface SignedFile {
  name: string
  /** Lower-case hex. */
  sha256: string
  /** IDs in the order found; may contain IDs that are not signatures. */
  signatureIds: string[]
  /** The verification codes printed in its seals, by signature ID. */
  printedCodes: ReadonlyMap<string, string>
  /** What earlier signatures of the file cover, the newest first. */
  revisions: readonly Revision[]
  /** For saving a revision; it is never sent. */
  content: Blob
}

export type FileTrouble = 'notPdf' | 'fileTooLarge' | 'fileFailed'

/** One signature and the service's verdict. */
export interface Verdict {
  id: string
  result: VerificationResponse
  /** The part of the file that is the sealed one, where others added to it; then `result` is about that part. */
  sealedPart?: Revision
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

/** With the checks of the whole file and of the codes, below what a visitor may make in a minute for usual files. */
const MAX_REVISION_CHECKS = 6

/** The refused IDs, each with the revisions that may be the file that was sealed. */
export function revisionsToCheck(verdicts: readonly Verdict[], file: SignedFile): { verdict: Verdict; revision: Revision }[] {
  const refused = verdicts.filter(isRefusal)
  return file.revisions.flatMap((revision) => refused.map((verdict) => ({ verdict, revision }))).slice(0, MAX_REVISION_CHECKS)
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
  const confirmed = ours.filter((verdict) => !isRefusal(verdict))
  return [...ours.filter(isRefusal), ...confirmed.filter(isExtended), ...confirmed.filter((verdict) => !isExtended(verdict))]
}

/** Whether only a part of the file is the sealed one. */
export function isExtended({ sealedPart }: Verdict): boolean {
  return sealedPart !== undefined
}

/** The service names the signer only of a signature that it knows. */
function isOurs({ result, onRecord }: Verdict): boolean {
  return result.valid || result.signerName !== undefined || onRecord !== undefined
}
