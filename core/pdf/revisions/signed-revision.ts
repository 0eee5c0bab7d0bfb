// The signatures of a document, each with the document as it was signed: the file cut off where the signed bytes end. A byte range that
// leaves out more than its own signature, or a signature that is not in its own revision, gives none.
import type { ByteSource } from '../read/byte-source.ts'
import { type FormField, walkFields } from '../read/form-fields.ts'
import { openPdf, type PdfFile } from '../read/pdf-file.ts'
import { PdfError, tooComplex } from '../pdf-error.ts'
import { stringBytes } from '../read/text-string.ts'
import { countOf, type PdfDict } from '../read/value.ts'

export interface DocumentSignature {
  readonly dict: PdfDict
  /** Absent when the byte range is not sane. */
  readonly signed: SignedPart | undefined
}

export interface SignedPart {
  /** Offsets of the gap: from the `<` of /Contents to after its `>`. */
  readonly gapStart: number
  readonly gapEnd: number
  /** Where the signed bytes end. */
  readonly end: number
  /** The bytes in the gap, padding included. */
  readonly contents: Buffer
  readonly revision: PdfFile
  /** The signature field in its own revision. */
  readonly field: FormField
}

/** Every check opens the file once more. */
const MAX_SIGNATURES = 100
const MAX_GAP_BYTES = 1024 * 1024
const HEX_STRING = /^<(?:[0-9a-fA-F]{2})+>$/

/** All signatures, time stamps included, oldest first; those without a sane byte range come last. Throws PdfError as reading does. */
export function readSignatures(file: PdfFile): DocumentSignature[] {
  const dicts = new Set<PdfDict>()
  for (const { signature } of walkFields(file)) {
    if (signature !== undefined) dicts.add(signature)
    if (dicts.size > MAX_SIGNATURES) throw tooComplex(`it has more than ${MAX_SIGNATURES} signatures`)
  }
  const signatures = [...dicts].map((dict) => ({ dict, signed: readSignedPart(file, dict) }))
  return signatures.sort((one, other) => (one.signed?.end ?? Infinity) - (other.signed?.end ?? Infinity) || 0)
}

function readSignedPart(file: PdfFile, dict: PdfDict): SignedPart | undefined {
  const range = readRange(file, dict)
  if (range === undefined || dict.ambiguous) return undefined
  const { gapStart, gapEnd, end } = range
  const gap = file.source.read(gapStart, gapEnd).toString('latin1')
  if (!HEX_STRING.test(gap)) return undefined
  const contents = Buffer.from(gap.slice(1, -1), 'hex')
  if (!hasContents(file, dict, contents)) return undefined
  const revision = openRevision(file, end)
  const field = revision && findField(revision, contents, range)
  return field && { gapStart, gapEnd, end, contents, revision, field }
}

interface Range {
  readonly gapStart: number
  readonly gapEnd: number
  readonly end: number
}

function readRange(file: PdfFile, { entries }: PdfDict): Range | undefined {
  const value = file.resolve(entries.get('ByteRange'))
  if (value.kind !== 'array' || value.items.length !== 4) return undefined
  const [start, gapStart, gapEnd, rest] = value.items.map((item) => countOf(file.resolve(item)))
  if (start !== 0 || gapStart === undefined || gapEnd === undefined || rest === undefined) return undefined
  const end = gapEnd + rest
  const isSane = gapStart < gapEnd && gapEnd - gapStart <= MAX_GAP_BYTES && end <= file.source.length
  return isSane ? { gapStart, gapEnd, end } : undefined
}

// A signature cannot sign itself: /Contents equal to the gap is in the gap, or the digest is wrong.
function hasContents(file: PdfFile, { entries }: PdfDict, contents: Buffer): boolean {
  const value = file.resolve(entries.get('Contents'))
  return value.kind === 'string' && stringBytes(value).equals(contents)
}

function openRevision({ source, budget }: PdfFile, end: number): PdfFile | undefined {
  try {
    return openPdf(end === source.length ? source : cutOff(source, end), budget)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'DOCUMENT_INVALID') return undefined
    throw error
  }
}

function cutOff(source: ByteSource, length: number): ByteSource {
  return { length, read: (start, end) => source.read(Math.min(start, length), Math.min(end, length)) }
}

function findField(revision: PdfFile, contents: Buffer, { gapStart, gapEnd, end }: Range): FormField | undefined {
  for (const field of walkFields(revision)) {
    if (field.signature === undefined || !hasContents(revision, field.signature, contents)) continue
    const range = readRange(revision, field.signature)
    if (range?.gapStart === gapStart && range.gapEnd === gapEnd && range.end === end) return field
  }
  return undefined
}
