// Limits for reading one document. Every reader of the document draws on the same budget, so many small bombs cost no more than one large one.
import { tooComplex } from './pdf-error.ts'

export interface PdfLimits {
  readonly pages: number
  readonly objects: number
  /** Levels of the page tree. */
  readonly pageTreeDepth: number
  /** Output of filters in bytes: all streams together, and one stream. */
  readonly decodedBytes: number
  readonly streamBytes: number
  /** Filters in the chain of one stream. */
  readonly filters: number
  /** Bytes of syntax that are parsed: all objects together, and one object without its stream data. */
  readonly parsedBytes: number
  readonly objectBytes: number
  /** Values (numbers, names, references...) in one object, and the nesting depth of its dictionaries and arrays. */
  readonly objectValues: number
  readonly nesting: number
  /** Revisions in the chain of cross-reference sections, and the entries of all of them together. */
  readonly xrefSections: number
  readonly xrefEntries: number
  /** /Size of the trailer: one more than the largest object number. */
  readonly size: number
}

const MIB = 1024 * 1024
/** Acrobat's limit, ISO 32000-2 annex C. */
const MAX_SIZE = 8_388_607
/** Far more objects than the seals of an envelope need, also when it is sealed again. */
const SEAL_RESERVE = 100_000

/** Limits for an uploaded document. */
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
  size: MAX_SIZE - SEAL_RESERVE,
}

/** Limits for a sealed file: a document just within the upload limits must stay within these after sealing. */
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
  size: MAX_SIZE,
}

export interface PdfBudget {
  readonly limits: PdfLimits
  decodedBytesLeft: number
  parsedBytesLeft: number
}

export function newBudget(limits: PdfLimits): PdfBudget {
  return { limits, decodedBytesLeft: limits.decodedBytes, parsedBytesLeft: limits.parsedBytes }
}

/** The most bytes that the next filter may produce: the limit per stream or what the document has left. */
export function decodingAllowance(budget: PdfBudget): number {
  return Math.min(budget.limits.streamBytes, budget.decodedBytesLeft)
}

/** Charges decoded bytes; throws DOCUMENT_TOO_COMPLEX when the budget is exhausted. */
export function chargeDecoded(budget: PdfBudget, bytes: number): void {
  budget.decodedBytesLeft -= bytes
  if (budget.decodedBytesLeft < 0) throw tooComplex('its decompressed data is too large')
}

/** Charges parsed bytes; throws DOCUMENT_TOO_COMPLEX when the budget is exhausted. */
export function chargeParsed(budget: PdfBudget, bytes: number): void {
  budget.parsedBytesLeft -= bytes
  if (budget.parsedBytesLeft < 0) throw tooComplex('reading its objects takes too long')
}
