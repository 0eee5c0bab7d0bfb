// All that sealing needs of a document, read once at upload and stored as JSON, so that the document is not parsed again. Everything comes
// from the newest revision.
import { malformed } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { readPlannedForm, type PlannedForm } from './plan-form.ts'
import { readPlannedPage, type PlannedPage } from './plan-page.ts'
import { type Base64, newPacker, pack } from './pack.ts'
import { isNull, rawOf } from '../read/value.ts'

export interface SealPlan extends PlannedForm {
  readonly length: number
  readonly endsWithNewline: boolean
  /** The byte that offsets in the file are relative to. */
  readonly base: number
  /** The offsets resolve to the same objects from byte 0, although they count from the header; absent in older inspections. */
  readonly countsFromBoth?: boolean
  readonly startxref: number
  readonly xrefKind: 'table' | 'stream'
  /** The first free object number. The widget of the seal takes it, the signature dictionary the next one. */
  readonly size: number
  readonly pageCount: number
  /** Copied into the new trailer: /Root, and /Info and the first half of /ID if present. */
  readonly root: Base64
  readonly info: Base64 | null
  readonly fileId: Base64 | null
  /** The requested pages and the last one, in order. */
  readonly pages: readonly PlannedPage[]
}

const NEWLINE = 10

/**
 * Reads the plan for seals on these pages (counted from 0; the last page is always included). Throws DOCUMENT_TOO_COMPLEX when it exceeds 4
 * MiB, DOCUMENT_INVALID where viewers would disagree, RangeError for a missing page.
 */
export function readSealPlan(file: PdfFile, pages: readonly number[]): SealPlan {
  const { source, trailer, pageCount } = file
  const packer = newPacker()
  const root = trailer.entries.get('Root')
  if (root === undefined) throw malformed('its catalog is damaged')
  const info = trailer.entries.get('Info')
  const drawn = new Set(pages)
  const indexes = [...new Set([...pages, pageCount - 1])].sort((one, other) => one - other)
  const plannedPages = indexes.map((index) => readPlannedPage(file, file.page(index), packer, drawn.has(index)))
  const form = readPlannedForm(file, packer, plannedPages.every(isSafe))
  checkDistinct(form, plannedPages)
  return {
    length: source.length,
    endsWithNewline: source.read(source.length - 1, source.length)[0] === NEWLINE,
    base: file.base,
    countsFromBoth: file.countsFromBoth,
    startxref: file.startxref,
    xrefKind: file.xrefKind,
    size: file.size,
    pageCount,
    root: pack(packer, rawOf(root)),
    info: info === undefined || isNull(info) ? null : pack(packer, rawOf(info)),
    fileId: readFileId(file),
    ...form,
    pages: plannedPages,
  }
}

/**
 * Whether the seals go into the appearance of the signature field instead of page content, and so must be on one page: a signature field
 * has one widget (ISO 32000-2, 12.7.5.5). True when the document is signed, or when drawing would change the appearance of a page.
 */
export function needsOnePage(plan: SealPlan): boolean {
  return plan.signatures > 0 || !plan.pages.every(isSafe)
}

function isSafe({ drawing }: PlannedPage): boolean {
  return drawing === null || drawing.safe
}

function readFileId(file: PdfFile): Base64 | null {
  const id = file.resolve(file.trailer.entries.get('ID'))
  const first = id.kind === 'array' ? file.resolve(id.items[0]) : id
  return first.kind === 'string' ? rawOf(first).toString('base64') : null
}

/** The page with this index, counted from 0. Throws RangeError when it is not in the plan. */
export function plannedPage(plan: SealPlan, index: number): PlannedPage {
  const page = plan.pages.find((candidate) => candidate.index === index)
  if (page === undefined) throw new RangeError(`the plan does not have page ${index}`)
  return page
}

/** Each object is rewritten once, so none may have two roles, such as page and catalog. */
function checkDistinct(form: PlannedForm, pages: readonly PlannedPage[]): void {
  const numbers = [...form.formUpdates, ...pages].map(({ num }) => num)
  if (new Set(numbers).size < numbers.length) throw malformed('one of its pages is damaged')
}
