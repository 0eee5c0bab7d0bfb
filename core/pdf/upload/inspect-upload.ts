// Inspects an uploaded file. An irregular file is normalised once, here, before anyone sees it: the result is inspected like any upload and replaces the
// file. Reading stays strict, because a file that two viewers read differently would stay ambiguous after sealing.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { bufferSource, type ByteSource, openFileSource } from '../read/byte-source.ts'
import { newBudget, PDF_LIMITS } from '../budget.ts'
import { copyByTable } from '../normalise/copy-by-table.ts'
import { checkFileOrder } from '../normalise/check-file-order.ts'
import { mentionsSignature, trimPdf } from '../normalise/trim-pdf.ts'
import { PdfError } from '../pdf-error.ts'
import { annotationFlaws } from '../normalise/annotation-flaws.ts'
import { printFlagsSet } from '../inspect/annotation-faces.ts'
import { inspectPdf } from '../inspect/inspect-pdf.ts'
import type { InspectedUpload, Inspection, UploadOptions } from '../inspect/inspection.ts'

/** What rooms above this one do with an upload. */
export interface UploadTools {
  /** Throws PdfError for a signed document with a broken signature. */
  checkSignatures(source: ByteSource): void
  /** The document with the appearances and the print flags that it lacks. */
  drawAppearances(bytes: Buffer): Promise<Buffer>
}

/**
 * Throws what `inspectPdf` throws, and what `checkSignatures` throws for a signed document. The file has the document's bytes afterwards.
 * Never changes a signed file.
 */
export async function inspectUpload(path: string, options: UploadOptions, tools: UploadTools): Promise<InspectedUpload> {
  try {
    using source = openFileSource(path)
    const inspection = inspectPdf(source, options)
    if (inspection.signatures > 0) tools.checkSignatures(source)
    return { inspection, normalisation: null }
  } catch (error) {
    if (!(options.repairDocuments && isRepairable(error))) throw error
    const upload = readFileSync(path)
    if (mentionsSignature(upload)) throw notRepaired(error)
    const { bytes, inspection } = await normalise(upload, error, options, tools)
    // Loaded on demand, like the library below.
    const { checkSameWords } = await import('../normalise/check-same-words.ts')
    await checkSameWords(upload, bytes, inspection.pageCount, error)
    writeFileSync(path, bytes)
    const sha256 = createHash('sha256').update(bytes).digest()
    return {
      inspection: { ...inspection, warnings: [NORMALISED, ...inspection.warnings] },
      normalisation: { reason: reasonOf(error), sizeBytes: bytes.length, sha256 },
    }
  }
}

interface Normalised {
  readonly bytes: Buffer
  readonly inspection: Inspection
}

const NORMALISED = {
  code: 'NORMALISED',
  page: null,
  message: 'The file was irregular and was written again. Check that the document looks as you expect.',
} as const

function isRepairable(error: unknown): error is PdfError {
  if (!(error instanceof PdfError) || error.isContradictory) return false
  return error.code === 'DOCUMENT_INVALID' || error.code === 'DOCUMENT_ENCRYPTED' || error.followsTable
}

/** The first way that gives a document which passes the inspection. */
async function normalise(upload: Buffer, error: PdfError, options: UploadOptions, tools: UploadTools): Promise<Normalised> {
  const trimmed = trimPdf(upload)
  if (trimmed === undefined) throw error
  if (trimmed.length < upload.length || error.followsTable) {
    const regular = await regularIfReadable(trimmed, options, tools)
    if (regular !== undefined) return regular
  }
  // Loaded on demand: the library takes 27 MB of memory, and irregular files are rare.
  const { rewritePdf, RewriteError } = await import('../normalise/rewrite-pdf.ts')
  const unlisted = checkFileOrder(trimmed, newBudget(PDF_LIMITS))
  try {
    const regular = await makeRegular(await rewritePdf(trimmed, unlisted), options, tools)
    if (regular.inspection.signatures > 0) throw notRepaired(error)
    return regular
  } catch (second) {
    if (second instanceof RewriteError) throw isEncrypted(error) ? needsPassword(upload) : error
    throw second
  }
}

async function regularIfReadable(bytes: Buffer, options: UploadOptions, tools: UploadTools): Promise<Normalised | undefined> {
  try {
    return await makeRegular(bytes, options, tools)
  } catch (error) {
    if (isRepairable(error)) return undefined
    throw error
  }
}

/** The file itself, or the copy of what its table lists. */
async function makeRegular(bytes: Buffer, options: UploadOptions, tools: UploadTools): Promise<Normalised> {
  try {
    return { bytes, inspection: inspectPdf(bufferSource(bytes), options) }
  } catch (error) {
    if (!(error instanceof PdfError && error.followsTable)) throw error
    const listed = copyByTable(bytes)
    const { missing, unprinted, needsAppearances } = annotationFlaws(listed)
    const isComplete = missing.length === 0 && unprinted.length === 0 && !needsAppearances
    const copy = isComplete ? listed : await tools.drawAppearances(listed)
    const inspection = inspectPdf(bufferSource(copy), options)
    return { bytes: copy, inspection: { ...inspection, warnings: [...printFlagsSet(unprinted), ...inspection.warnings] } }
  }
}

function isEncrypted({ code }: PdfError): boolean {
  return code === 'DOCUMENT_ENCRYPTED'
}

/** Readers ask for the password of attachments alone when one is opened (ISO 32000-2, table 25). */
function needsPassword(upload: Buffer): PdfError {
  const message = upload.includes('/EFOpen')
    ? 'A file attached to the document is encrypted. Remove the attachment and upload the document without it.'
    : 'The document cannot be opened without its password. Save it without password protection and upload that.'
  return new PdfError('DOCUMENT_ENCRYPTED', message)
}

function notRepaired(error: PdfError): PdfError {
  const advice = 'It has a signature, which a repair would break. Print it to a plain PDF and upload that.'
  const flaw = isEncrypted(error) ? 'The document is encrypted.' : error.message
  return new PdfError(error.code, `${flaw} ${advice}`)
}

function reasonOf(error: PdfError): string {
  if (isEncrypted(error)) return 'It was encrypted, with an empty password.'
  return `${error.reason.charAt(0).toUpperCase()}${error.reason.slice(1)}.`
}
