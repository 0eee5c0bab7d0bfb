// Finds the signature that covers the whole file, the way viewers find it: from the cross-reference table over catalog and form to the
// dictionary. What its byte range leaves out must be its own /Contents and nothing else, or a forger could live in the gap.
import { newBudget, SEALED_PDF_LIMITS } from '#core/pdf/budget.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { walkFields } from '#core/pdf/read/form-fields.ts'
import { openPdf, type PdfFile } from '#core/pdf/read/pdf-file.ts'
import { textOf } from '#core/pdf/read/text-string.ts'
import { countOf, isName, type PdfDict, type PdfValue } from '#core/pdf/read/value.ts'
import { type AuditHead, readAuditHead } from '../audit-head.ts'
import { readByteRangeGap } from './byte-range.ts'
import { parsePdfDate } from './pdf-date.ts'
import { type ByteRange, VerifyError } from './verdict.ts'

export interface Seal {
  readonly byteRange: ByteRange
  /** The CMS: what /Contents holds before its padding. */
  readonly cms: Buffer
  readonly signedAt: Date
  readonly signerName: string | null
  readonly auditHead: AuditHead | null
}

/** Reads the seal of a file. Throws PdfError, DerError, and VerifyError when there is none or its place is not the one of a seal. */
export function findSeal(bytes: Buffer): Seal {
  const file = openPdf(bufferSource(bytes), newBudget(SEALED_PDF_LIMITS))
  const { dict, byteRange } = coveringSignature(file)
  const cms = readByteRangeGap(bytes, byteRange, dict.entries.get('Contents'))
  const signedAt = parsePdfDate(textIn(file, dict, 'M') ?? '')
  if (signedAt === undefined) throw new VerifyError('SIGNING_TIME_MISSING')
  return {
    byteRange,
    cms,
    signedAt,
    signerName: textIn(file, dict, 'Name'),
    auditHead: readAuditHead(textIn(file, dict, 'Reason')),
  }
}

interface Candidate {
  readonly dict: PdfDict
  readonly byteRange: ByteRange
}

// Earlier signatures of a document end before the file does.
function coveringSignature(file: PdfFile): Candidate {
  const candidate = findCandidate(file)
  if (candidate.dict.ambiguous) throw new VerifyError('SIGNATURE_AMBIGUOUS')
  const { entries } = candidate.dict
  const type = entries.get('Type')
  const isSignature = type === undefined || isName(type, 'Sig')
  if (!isSignature || !isName(entries.get('SubFilter'), 'ETSI.CAdES.detached'))
    throw new VerifyError('SIGNATURE_KIND_UNSUPPORTED')
  return candidate
}

/**
 * The first one that comes is enough: whichever it is, everything outside of its gap has to be what was signed. The walk starts with
 * the last field, which is ours, so that nobody can hinder a seal by a signature put into the document beforehand.
 */
function findCandidate(file: PdfFile): Candidate {
  let signed = false
  for (const { signature } of walkFields(file)) {
    if (signature === undefined) continue
    signed = true
    const candidate = candidateOf(file, signature)
    if (candidate !== undefined) return candidate
  }
  throw new VerifyError(signed ? 'COVERAGE_INCOMPLETE' : 'NO_SIGNATURE')
}

function candidateOf({ source }: PdfFile, dict: PdfDict): Candidate | undefined {
  const byteRange = rangeOf(dict.entries.get('ByteRange'))
  if (byteRange === undefined) return undefined
  const [start, before, next, behind] = byteRange
  const covers = start === 0 && next > before && next + behind === source.length
  return covers ? { dict, byteRange } : undefined
}

function rangeOf(value: PdfValue | undefined): ByteRange | undefined {
  if (value?.kind !== 'array' || value.items.length !== 4) return undefined
  const [start, before, next, behind] = value.items.map(countOf)
  if (start === undefined || before === undefined || next === undefined || behind === undefined) return undefined
  return [start, before, next, behind]
}

function textIn(file: PdfFile, dict: PdfDict, key: string): string | null {
  const value = file.resolve(dict.entries.get(key))
  return value.kind === 'string' ? textOf(value) : null
}
