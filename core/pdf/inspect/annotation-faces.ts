// Finds annotations with content that show but do not print, or print but do not show (ISO 32000-2, 12.5.3). Links, pop-ups and empty
// fields have nothing to show.
import type { PdfPage } from '../read/page-tree.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { textOf } from '../read/text-string.ts'
import { countOf, isName, isNull, type PdfDict, type PdfValue, rawOf } from '../read/value.ts'
import { PdfError } from '../pdf-error.ts'
import { activeContent } from './active-content.ts'
import { type ContentReader, newContentReader, nextOperator, operatorCode, readContent } from './content-reader.ts'
import { type ContentDecoder, newContentDecoder } from './decode-content.ts'
import { dictOf, itemsOf, nameEntry } from './entries.ts'
import type { UploadWarning } from '../upload-warning.ts'

const HIDDEN = 2
const PRINT = 4
const NO_VIEW = 32
const TOGGLE_NO_VIEW = 256

const DIGITS = /^[0-9]+$/

const UNPRINTED = 'shows but does not print'

const WITHOUT_CONTENT: ReadonlySet<string | undefined> = new Set(['Link', 'Popup'])

/** A frame and its bevel; more could be a drawing. */
const MAX_FRAME_SEGMENTS = 40
const SEGMENTS: ReadonlySet<number> = new Set(['l', 'c', 'v', 'y', 're'].map(operatorCode))
const PICTURES: ReadonlySet<number> = new Set(['Tj', 'TJ', "'", '"', 'Do', 'ID', 'sh'].map(operatorCode))
const MAX_PARENTS = 64

interface Appearances {
  readonly file: PdfFile
  readonly decoder: ContentDecoder
  readonly reader: ContentReader
}

/** An annotation that does not look the same on the screen and on paper. */
export interface SplitAnnotation {
  readonly page: PdfPage
  /** Its place in the annotations of the page. */
  readonly index: number
  /** What it does: "shows but does not print". */
  readonly split: string
}

/** The check of the annotations of a page. */
export function openAnnotationCheck(file: PdfFile, report: (found: SplitAnnotation) => void): (page: PdfPage) => void {
  const appearances = { file, decoder: newContentDecoder(file), reader: newContentReader() }
  return (page) => {
    for (const [index, item] of itemsOf(file, page.dict.entries.get('Annots')).entries()) {
      const annotation = dictOf(file, item)
      const split = annotation === undefined ? undefined : splitOf(file.resolve(annotation.entries.get('F')))
      if (annotation === undefined || split === undefined || !hasContent(appearances, annotation)) continue
      report({ page, index, split })
    }
  }
}

/** Whether it would look the same with the print flag. */
export function lacksPrintFlag({ split }: SplitAnnotation): boolean {
  return split === UNPRINTED
}

/** The refusal of a document with such an annotation. */
export function splitError(found: SplitAnnotation): PdfError {
  const { code, message } = activeContent(`${nameOn(found.page)} that ${found.split}`)
  return new PdfError(code, message, { reason: `${nameOn(found.page)} ${found.split}`, followsTable: lacksPrintFlag(found) })
}

/** For a signed document, which cannot be changed. */
export function unprintedWarning({ page }: SplitAnnotation): UploadWarning {
  return { code: 'SHOWN_NOT_PRINTED', page: page.index, message: `${capitalised(nameOn(page))} ${UNPRINTED}.` }
}

/** For a document that was changed to print them: one for each page. */
export function printFlagsSet(found: readonly SplitAnnotation[]): UploadWarning[] {
  const pages = new Set(found.map(({ page }) => page.index))
  return [...pages].map((page) => ({
    code: 'PRINT_FLAGS_SET',
    page,
    message: `What is shown on page ${page + 1} but was not to be printed is printed now.`,
  }))
}

function nameOn(page: PdfPage): string {
  return `an annotation or a form field on page ${page.index + 1}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function splitOf(value: PdfValue): string | undefined {
  const written = countOf(value) ?? 0
  // Some readers take a real number (`2.0`) for no flags.
  const flags = DIGITS.test(rawOf(value).toString('latin1')) ? written : 0
  if (flags !== written && (written & (HIDDEN | NO_VIEW | TOGGLE_NO_VIEW)) !== 0) return 'shows in some readers only'
  if ((flags & HIDDEN) !== 0) return undefined
  if ((flags & TOGGLE_NO_VIEW) !== 0) return 'shows only at times'
  const shows = (flags & NO_VIEW) === 0
  const prints = (flags & PRINT) !== 0
  if (shows === prints) return undefined
  return shows ? UNPRINTED : 'prints but does not show'
}

function hasContent(appearances: Appearances, annotation: PdfDict): boolean {
  const { file } = appearances
  if (hasNoArea(file, annotation)) return false
  const subtype = nameEntry(file, annotation, 'Subtype')
  const shown = shownAppearances(file, annotation)
  if (subtype === 'Widget')
    return hasValue(file, annotation) || shown.some((each) => paints(appearances, each, MAX_FRAME_SEGMENTS))
  // A viewer draws what has no appearance.
  if (shown.length === 0) return !WITHOUT_CONTENT.has(subtype)
  return shown.some((each) => paints(appearances, each, 0))
}

function hasNoArea(file: PdfFile, annotation: PdfDict): boolean {
  const [left, bottom, right, top] = itemsOf(file, annotation.entries.get('Rect')).map((item) => {
    const number = file.resolve(item)
    return number.kind === 'number' ? number.value : Number.NaN
  })
  return left === right || bottom === top
}

/** The normal appearance, in its current state if it has states. */
function shownAppearances(file: PdfFile, annotation: PdfDict): PdfValue[] {
  const normal = file.resolve(dictOf(file, annotation.entries.get('AP'))?.entries.get('N'))
  if (normal.kind !== 'dict') return isNull(normal) ? [] : [normal]
  const state = nameEntry(file, annotation, 'AS')
  const shown = state === undefined ? [...normal.entries.values()] : [normal.entries.get(state)]
  return shown.map((value) => file.resolve(value)).filter((value) => !isNull(value))
}

/** Whether the field has a value, its own or inherited, or the button a caption. */
function hasValue(file: PdfFile, widget: PdfDict): boolean {
  if (isFilled(file, dictOf(file, widget.entries.get('MK'))?.entries.get('CA')) && isPushButton(file, widget)) return true
  let node: PdfDict | undefined = widget
  for (let level = 0; node !== undefined && level < MAX_PARENTS; level++) {
    if (node.entries.has('V')) return isFilled(file, node.entries.get('V'))
    node = dictOf(file, node.entries.get('Parent'))
  }
  return node !== undefined
}

const PUSH_BUTTON = 1 << 16

function isPushButton(file: PdfFile, widget: PdfDict): boolean {
  return ((countOf(file.resolve(widget.entries.get('Ff'))) ?? 0) & PUSH_BUTTON) !== 0
}

function isFilled(file: PdfFile, entry: PdfValue | undefined): boolean {
  const value = file.resolve(entry)
  if (value.kind === 'string') return textOf(value).trim() !== ''
  if (value.kind === 'array') return value.items.length > 0
  return !isNull(value) && !isName(value, 'Off')
}

/** Whether the appearance draws more than a frame of so many segments. */
function paints({ decoder, reader }: Appearances, appearance: PdfValue, frameSegments: number): boolean {
  const content = appearance.kind === 'stream' ? decoder.decode(appearance) : undefined
  if (content === undefined) return true
  readContent(reader, content, 0)
  let segments = 0
  for (let operator = nextOperator(reader); operator !== 0; operator = nextOperator(reader)) {
    if (PICTURES.has(operator)) return true
    if (SEGMENTS.has(operator) && ++segments > frameSegments) return true
  }
  return false
}
