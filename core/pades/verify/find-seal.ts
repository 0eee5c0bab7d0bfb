// Finds the signature that covers the whole file, the way viewers do: from the cross-reference table over catalog and form to the
// dictionary. The byte range may leave out only its own /Contents; otherwise a forger could put content into the gap.
import { newBudget, SEALED_PDF_LIMITS } from '#core/pdf/budget.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { walkFields } from '#core/pdf/read/form-fields.ts'
import { openPdf, type PdfFile } from '#core/pdf/read/pdf-file.ts'
import { textOf } from '#core/pdf/read/text-string.ts'
import { countOf, isName, type PdfDict, type PdfValue } from '#core/pdf/read/value.ts'
import { type AuditHead, readAuditHead } from '../audit-head.ts'
import { readSealFormat, type SealFormat } from '../seal-format.ts'
import { readByteRangeGap } from './byte-range.ts'
import { parsePdfDate } from './pdf-date.ts'
import { type ByteRange, VerifyError } from './verdict.ts'

export interface Seal {
  readonly byteRange: ByteRange
  readonly format: SealFormat
  /** The CMS: the content of /Contents before its padding. */
  readonly cms: Buffer
  readonly signedAt: Date
  readonly signerName: string | null
  readonly auditHead: AuditHead | null
}

/** Reads the seal of a file. Throws PdfError, DerError, and VerifyError when there is no seal or it is not written as one. */
export function findSeal(bytes: Buffer): Seal {
  const file = openPdf(bufferSource(bytes), newBudget(SEALED_PDF_LIMITS))
  const { dict, byteRange } = coveringSignature(file)
  const cms = readByteRangeGap(bytes, byteRange, dict.entries.get('Contents'))
  const signedAt = parsePdfDate(textIn(file, dict, 'M') ?? '')
  if (signedAt === undefined) throw new VerifyError('SIGNING_TIME_MISSING')
  const format = readSealFormat(dict)
  if (format === undefined) throw new VerifyError('SIGNATURE_KIND_UNSUPPORTED')
  return {
    byteRange,
    format,
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

// Earlier signatures of a document cover only a part of the file.
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
 * The first match is enough: everything outside its gap must be signed. The walk starts with the last field, which is ours, so that a
 * signature placed in the upload cannot block the check.
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
  const [start, before, next, after] = byteRange
  const covers = start === 0 && next > before && next + after === source.length
  return covers ? { dict, byteRange } : undefined
}

function rangeOf(value: PdfValue | undefined): ByteRange | undefined {
  if (value?.kind !== 'array' || value.items.length !== 4) return undefined
  const [start, before, next, after] = value.items.map(countOf)
  if (start === undefined || before === undefined || next === undefined || after === undefined) return undefined
  return [start, before, next, after]
}

function textIn(file: PdfFile, dict: PdfDict, key: string): string | null {
  const value = file.resolve(dict.entries.get(key))
  return value.kind === 'string' ? textOf(value) : null
}
