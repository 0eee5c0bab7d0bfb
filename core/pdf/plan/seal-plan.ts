// All that sealing needs of a document, read once when it is uploaded and stored as JSON: at seal time the document is not
// parsed again. Everything is as the newest revision gives it.
import { malformed } from '../pdf-fault.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { readPlannedForm, type PlannedForm } from './plan-form.ts'
import { readPlannedPage, type PlannedPage } from './plan-page.ts'
import { type Base64, newPacker, pack } from './pack.ts'
import { isNull, rawOf } from '../read/value.ts'

export interface SealPlan extends PlannedForm {
  readonly length: number
  readonly endsWithNewline: boolean
  /** The byte from which the offsets in the file count. */
  readonly base: number
  /** They lead to the same from the start of the file, although they count from the header; absent in what was inspected before it was asked. */
  readonly countsFromBoth?: boolean
  readonly startxref: number
  readonly xrefKind: 'table' | 'stream'
  /** The first free object number. The widget of the seal takes it, and its signature dictionary the next one. */
  readonly size: number
  readonly pageCount: number
  /** What the new trailer takes over: /Root, and /Info and the first half of /ID where the document has them. */
  readonly root: Base64
  readonly info: Base64 | null
  readonly fileId: Base64 | null
  /** The pages that were asked for and the last one, in order. */
  readonly pages: readonly PlannedPage[]
}

const NEWLINE = 10

/**
 * Reads the site for seals on these pages (counted from 0; the last page always comes along). Throws DOCUMENT_TOO_COMPLEX when
 * there is more than 4 MiB to keep, DOCUMENT_INVALID for what viewers read in different ways, RangeError for no such page.
 */
export function readSealPlan(file: PdfFile, pages: readonly number[]): SealPlan {
  const { source, trailer, pageCount } = file
  const packer = newPacker()
  const root = trailer.entries.get('Root')
  if (root === undefined) throw malformed('its catalog is damaged')
  const info = trailer.entries.get('Info')
  const drawn = new Set(pages)
  const indexes = [...new Set([...pages, pageCount - 1])].sort((one, other) => one - other)
  const sitePages = indexes.map((index) => readPlannedPage(file, file.page(index), packer, drawn.has(index)))
  const form = readPlannedForm(file, packer, sitePages.every(isSafe))
  checkDistinct(form, sitePages)
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
    pages: sitePages,
  }
}

/**
 * Whether the seals go into the appearance of the signature field instead of the page content, and so have to be on one page: a
 * signature field has one widget (ISO 32000-2, 12.7.5.5). So it is when earlier signatures forbid to change the content, and
 * when a page could not be drawn on without changing its look.
 */
export function needsOnePage(site: SealPlan): boolean {
  return site.signatures > 0 || !site.pages.every(isSafe)
}

function isSafe({ drawing }: PlannedPage): boolean {
  return drawing === null || drawing.safe
}

function readFileId(file: PdfFile): Base64 | null {
  const id = file.resolve(file.trailer.entries.get('ID'))
  const first = id.kind === 'array' ? file.resolve(id.items[0]) : id
  return first.kind === 'string' ? rawOf(first).toString('base64') : null
}

/** The page with this index, counted from 0. Throws RangeError when the site was not read for it. */
export function plannedPage(site: SealPlan, index: number): PlannedPage {
  const page = site.pages.find((candidate) => candidate.index === index)
  if (page === undefined) throw new RangeError(`the site does not have page ${index}`)
  return page
}

/** Each object is written again in its own way, so none can be, say, a page and the catalog. */
function checkDistinct(form: PlannedForm, pages: readonly PlannedPage[]): void {
  const numbers = [...form.formUpdates, ...pages].map(({ num }) => num)
  if (new Set(numbers).size < numbers.length) throw malformed('one of its pages is damaged')
}
