// Reads a PDF on the visitor's device: its fingerprint and the signature IDs printed in its seals. The file is never sent.
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { loadPdfjs, openPdf, type Pdfjs } from '../pdf/open-pdf.ts'
import { findRevisionEnds, type Revision } from './earlier-revisions.ts'
import type { FileTrouble, SignedFile } from './verification.ts'
import { findPrintedCodes, findSignatureIds } from './verify-input.ts'

// An upload has at most 50 MB and a seal adds little; beyond this a tab may run out of memory.
const MAX_FILE_BYTES = 256 * 1024 * 1024
const PDF_HEAD = '%PDF-'
const PDF_HEAD_SEARCH_BYTES = 1024
// Seals are at their markers or on the last page; beyond this many pages the visitor can enter the ID.
const MAX_SEARCHED_PAGES = 200
// Keeps an ID from being put together from two pages.
const PAGE_END = ' | '

/** Reads the file, or returns why it can't. A PDF without readable text still has a fingerprint. */
export async function readSignedFile(file: File): Promise<SignedFile | FileTrouble> {
  if (file.size > MAX_FILE_BYTES) return 'fileTooLarge'
  try {
    const bytes = await file.arrayBuffer()
    if (!isPdf(bytes)) return 'notPdf'
    const sha256 = await hash(bytes)
    const revisions = await readRevisions(bytes)
    const text = await readText(new Uint8Array(bytes)).catch(() => '')
    const printed = { signatureIds: findSignatureIds(text), printedCodes: findPrintedCodes(text) }
    return { name: file.name, sha256, revisions, content: file, ...printed }
  } catch {
    return 'fileFailed'
  }
}

function isPdf(bytes: ArrayBuffer): boolean {
  return new TextDecoder('latin1').decode(bytes.slice(0, PDF_HEAD_SEARCH_BYTES)).includes(PDF_HEAD)
}

async function readRevisions(bytes: ArrayBuffer): Promise<Revision[]> {
  const ends = findRevisionEnds(new TextDecoder('latin1').decode(bytes), bytes.byteLength)
  return Promise.all(ends.map(async (end) => ({ ...end, sha256: await hash(new Uint8Array(bytes, 0, end.bytes)) })))
}

async function hash(bytes: BufferSource): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', bytes))
}

function toHex(digest: ArrayBuffer): string {
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function readText(data: Uint8Array): Promise<string> {
  const pdfjs = await loadPdfjs()
  const task = openPdf(pdfjs, { data })
  try {
    const pdf = await task.promise
    const found: string[] = []
    for (const pageNumber of searchOrder(pdf)) found.push(await readPageText(pdfjs, await pdf.getPage(pageNumber)))
    return found.join(PAGE_END)
  } finally {
    await task.destroy()
  }
}

// The last page first: a seal without a marker is there.
function searchOrder(pdf: PDFDocumentProxy): number[] {
  const others = Array.from({ length: Math.min(pdf.numPages - 1, MAX_SEARCHED_PAGES - 1) }, (_, index) => index + 1)
  return [pdf.numPages, ...others]
}

async function readPageText(pdfjs: Pdfjs, page: PDFPageProxy): Promise<string> {
  const [content, annotations] = await Promise.all([page.getTextContent(), page.getAnnotations()])
  const printed = content.items.map((item) => ('str' in item ? item.str : ''))
  // If page content could not be changed, the seals are in the appearance of a signature field.
  const hasSealField = annotations.some((annotation: { fieldType?: string }) => annotation.fieldType === 'Sig')
  const drawn = hasSealField ? await readDrawnText(pdfjs, page) : ''
  page.cleanup()
  return `${printed.join(' ')} ${drawn}`
}

// All text of a page in drawing order, including its annotations, which getTextContent omits.
async function readDrawnText(pdfjs: Pdfjs, page: PDFPageProxy): Promise<string> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const shown = argsArray.filter((_args, index) => fnArray[index] === pdfjs.OPS.showText)
  return shown.flatMap(([glyphs]: [{ unicode?: string }[]]) => glyphs.map((glyph) => glyph.unicode ?? '')).join('')
}
