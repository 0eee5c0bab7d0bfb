// What reading one document may cost. Every reader of that document draws on the same budget, so that many small bombs
// cost no more than one large one.
import { tooComplex } from './pdf-fault.ts'

export interface PdfLimits {
  readonly pages: number
  readonly objects: number
  /** Levels of the page tree. */
  readonly pageTreeDepth: number
  /** Bytes that come out of filters: all streams together, and one stream. */
  readonly decodedBytes: number
  readonly streamBytes: number
  /** Filters in the chain of one stream. */
  readonly filters: number
  /** Bytes of syntax that are parsed: all objects together, and one object without its stream data. */
  readonly parsedBytes: number
  readonly objectBytes: number
  /** Values (numbers, names, references...) in one object, and how deeply dictionaries and arrays nest in it. */
  readonly objectValues: number
  readonly nesting: number
  /** Revisions in the chain of cross-reference sections, and the entries of all of them together. */
  readonly xrefSections: number
  readonly xrefEntries: number
  /** One more than the largest object number: /Size of the trailer. */
  readonly size: number
}

const MIB = 1024 * 1024
/** Acrobat's limit, ISO 32000-2 annex C. */
const LARGEST_SIZE = 8_388_607
/** Far more objects than the seals of an envelope, also when it is sealed again. */
const SEAL_RESERVE = 100_000

/** The limits that an uploaded document has to keep. */
export const PDF_LIMITS: PdfLimits = {
  pages: 5_000,
  objects: 200_000,
  pageTreeDepth: 64,
  decodedBytes: 256 * MIB,
  streamBytes: 64 * MIB,
  filters: 4,
  parsedBytes: 512 * MIB,
  objectBytes: 16 * MIB,
  objectValues: 500_000,
  nesting: 100,
  xrefSections: 1_000,
  xrefEntries: 1_000_000,
  size: LARGEST_SIZE - SEAL_RESERVE,
}

/** The limits of a sealed file: what a seal adds must not bring a document over them that was just within those of uploads. */
export const SEALED_PDF_LIMITS: PdfLimits = {
  ...PDF_LIMITS,
  objects: PDF_LIMITS.objects * 2,
  decodedBytes: PDF_LIMITS.decodedBytes * 2,
  parsedBytes: PDF_LIMITS.parsedBytes * 2,
  objectBytes: PDF_LIMITS.objectBytes * 2,
  objectValues: PDF_LIMITS.objectValues * 2,
  nesting: PDF_LIMITS.nesting * 2,
  xrefSections: PDF_LIMITS.xrefSections * 2,
  xrefEntries: PDF_LIMITS.xrefEntries * 2,
  size: LARGEST_SIZE,
}

export interface PdfBudget {
  readonly limits: PdfLimits
  decodedBytesLeft: number
  parsedBytesLeft: number
}

/** A fresh budget for one document. */
export function newBudget(limits: PdfLimits): PdfBudget {
  return { limits, decodedBytesLeft: limits.decodedBytes, parsedBytesLeft: limits.parsedBytes }
}

/** How many bytes the next filter may put out: the limit of a stream or what is left for the document. */
export function decodingAllowance(budget: PdfBudget): number {
  return Math.min(budget.limits.streamBytes, budget.decodedBytesLeft)
}

/** Draws decoded bytes; throws DOCUMENT_TOO_COMPLEX when there are not enough left. */
export function chargeDecoded(budget: PdfBudget, bytes: number): void {
  budget.decodedBytesLeft -= bytes
  if (budget.decodedBytesLeft < 0) throw tooComplex('its decompressed data is too large')
}

/** Draws parsed bytes; throws DOCUMENT_TOO_COMPLEX when there are not enough left. */
export function chargeParsed(budget: PdfBudget, bytes: number): void {
  budget.parsedBytesLeft -= bytes
  if (budget.parsedBytesLeft < 0) throw tooComplex('reading its objects takes too long')
}
