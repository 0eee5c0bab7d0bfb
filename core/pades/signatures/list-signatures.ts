// Every signature of a document: is it intact, how much of the file does it cover, and does it permit what came after it?
import type { PdfFile } from '#core/pdf/read/pdf-file.ts'
import { textOf } from '#core/pdf/read/text-string.ts'
import { isName, type PdfDict } from '#core/pdf/read/value.ts'
import { compareRevisions, type LaterChanges, listedAfter } from '#core/pdf/revisions/compare-revisions.ts'
import { indexReferences, type References } from '#core/pdf/revisions/references.ts'
import { readSignatures } from '#core/pdf/revisions/signed-revision.ts'
import { readAuditHead } from '../audit-head.ts'
import { nameOnOneLine } from '../certificate.ts'
import { parsePdfDate } from '../verify/pdf-date.ts'
import { checkIntegrity, type Integrity } from './check-integrity.ts'
import { fieldsOfSealer, type SignedSeal } from './further-seals.ts'
import { readSigners } from './signers.ts'

export interface ListedSignature {
  /** The envelope of a seal. */
  readonly id?: string
  /** The subject of the certificate, on one line; null when it cannot be read. */
  readonly signedBy: string | null
  /** Signing time as the signer or the time stamp states it. */
  readonly signedAt: Date | null
  /** Whether its own bytes are what was signed, by the key of its certificate. */
  readonly intact: boolean
  readonly covers: 'WHOLE_FILE' | 'EARLIER_REVISION'
  /** How many bytes from the start of the file it covers; absent when its byte range is not sane. */
  readonly coveredBytes?: number
  readonly laterChanges: LaterChanges['kind']
  /** Names of the people whose signatures a seal is about. */
  readonly signers?: readonly string[]
  readonly timeStamp?: true
  /** A clause that says what is wrong: "the content of a page was changed". */
  readonly problem?: string
}

/** A signature on its own, before what came after it is checked. */
export interface CheckedSignature extends SignedSeal {
  readonly claims: Claims
}

/** The signatures, oldest first. Throws PdfError as reading does. */
export function checkSignatures(file: PdfFile): CheckedSignature[] {
  return readSignatures(file).map(({ dict, signed }) => {
    const claims = readClaims(file, dict)
    return { signed, claims, integrity: signed && checkIntegrity(file, dict, signed), isSeal: claims.id !== undefined }
  })
}

/**
 * Checks what came after each signature. `closes` names the seals that close the document: after the others there may be what any signature
 * permits. Throws PdfError as reading does.
 */
export function listSignatures(
  file: PdfFile,
  checked = checkSignatures(file),
  closes: (seal: CheckedSignature) => boolean = () => true,
): ListedSignature[] {
  const references = referencesFor(file, checked)
  return checked.map((signature) => {
    const isClosing = signature.isSeal && closes(signature)
    return describe(file, signature, { references, all: checked, isClosing })
  })
}

/** The objects listed after the oldest signature include those listed after the others. */
function referencesFor(file: PdfFile, signatures: readonly CheckedSignature[]): References {
  const oldest = signatures.find(({ signed }) => signed !== undefined)?.signed
  const listed = oldest && listedAfter(file, oldest.revision)
  return listed === undefined || listed.size === 0 ? new Map() : indexReferences(file, listed)
}

function describe(
  file: PdfFile,
  { signed, claims, integrity }: CheckedSignature,
  { references, all, isClosing }: { references: References; all: readonly CheckedSignature[]; isClosing: boolean },
): ListedSignature {
  if (signed === undefined || integrity === undefined) {
    const problem = 'it does not cover the document in the way a signature does'
    return { ...claims, signedBy: null, intact: false, covers: 'EARLIER_REVISION', laterChanges: 'NOT_PERMITTED', problem }
  }
  const seal = isClosing ? { furtherSeals: fieldsOfSealer(integrity, all) } : undefined
  const changes = compareRevisions(file, signed, { references, seal })
  const problem = integrity.problem ?? (changes.kind === 'NOT_PERMITTED' ? changes.reason : undefined)
  return {
    ...claims,
    signedBy: subjectOf(integrity),
    signedAt: integrity.signedAt ?? claims.signedAt,
    intact: integrity.intact,
    covers: signed.end === file.source.length ? 'WHOLE_FILE' : 'EARLIER_REVISION',
    coveredBytes: signed.end,
    laterChanges: changes.kind,
    ...(problem !== undefined && { problem }),
  }
}

type Claims = Pick<ListedSignature, 'id' | 'signedAt' | 'signers' | 'timeStamp'>

/** What the signature dictionary says. */
function readClaims(file: PdfFile, dict: PdfDict): Claims {
  const id = readAuditHead(textIn(file, dict, 'Reason'))?.envelopeId
  const signers = readSigners(file, dict)
  return {
    ...(id !== undefined && { id }),
    signedAt: parsePdfDate(textIn(file, dict, 'M') ?? '') ?? null,
    ...(signers.length > 0 && { signers }),
    ...(isName(dict.entries.get('Type'), 'DocTimeStamp') && { timeStamp: true as const }),
  }
}

function subjectOf({ signer }: Integrity): string | null {
  return signer === undefined ? null : nameOnOneLine(signer.x509.subject)
}

function textIn(file: PdfFile, dict: PdfDict, key: string): string | null {
  const value = file.resolve(dict.entries.get(key))
  return value.kind === 'string' ? textOf(value) : null
}
