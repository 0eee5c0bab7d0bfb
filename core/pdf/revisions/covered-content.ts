// A seal permits later signatures, but not over what its signers saw: a forger's signature could otherwise show other text there.
import { boxEntry } from '../inspect/number-entries.ts'
import { areasOf } from './appearance-areas.ts'
import { readAllInk } from '../inspect/ink/read-ink.ts'
import { INK, type InkGrid } from '../placement/ink-grid.ts'
import type { Box } from '../read/page-boxes.ts'
import type { PdfPage } from '../read/page-tree.ts'
import { countOf, isNull, type PdfDict } from '../read/value.ts'
import { ChangeNotPermittedError, type Comparison, itemsIn, numberOf } from './comparison.ts'

/** ISO 32000-2, table 167. Without zoom or rotation, a widget shows elsewhere than in its rectangle. */
const [HIDDEN, NO_ZOOM, NO_ROTATE] = [2, 8, 16]
const MAX_FLAGS = 0x7fff_ffff

/** A new widget on this page may cover nothing that the page shows. */
export function checkNewWidget(comparison: Comparison, page: PdfPage, widget: PdfDict, num: number): void {
  if (isFree(comparison, num)) return
  checkCovered(comparison, page, widget, num, INK.DRAWING | INK.TEXT | INK.IMAGE)
}

/** A field that the signers saw may be on a line or in a frame, which its signature covers, but no text or picture. */
export function checkSignedWidget(comparison: Comparison, widget: PdfDict, num: number): void {
  const { before } = comparison
  if (isFree(comparison, num) || isHidden(comparison, widget)) return
  for (const page of before.pages()) {
    const isHere = itemsIn(before, page.dict.entries.get('Annots')).some((item) => numberOf(item) === num)
    if (isHere) checkCovered(comparison, page, widget, num, INK.TEXT | INK.IMAGE)
  }
}

/** The rule is about what follows a seal, except further seals of the same sealer. */
function isFree({ seal }: Comparison, num: number): boolean {
  return seal === undefined || seal.furtherSeals.has(num)
}

function checkCovered(comparison: Comparison, page: PdfPage, widget: PdfDict, num: number, kinds: number): void {
  if (isHidden(comparison, widget)) return
  const box = boxEntry(comparison.after, widget, 'Rect')
  const isElsewhere = box === undefined || (flagsOf(comparison, widget) & (NO_ZOOM | NO_ROTATE)) !== 0
  if (isElsewhere || isInked(comparison, page, areasOf(comparison.after, widget, box), num, kinds)) {
    throw new ChangeNotPermittedError(`a signature was added over the content of page ${page.index + 1}`)
  }
}

function isInked({ before }: Comparison, page: PdfPage, areas: readonly Box[], num: number, kinds: number): boolean {
  const ink = readAllInk(before, page, new Set([num]))
  return areas.some((area) => (inkIn(ink, area) & kinds) !== 0)
}

/** The kinds of ink in the cells that the box touches, as bits. */
function inkIn({ left, bottom, cell, columns, rows, cells }: InkGrid, box: Box): number {
  const [firstColumn, firstRow] = [
    Math.max(0, Math.floor((box[0] - left) / cell)),
    Math.max(0, Math.floor((box[1] - bottom) / cell)),
  ]
  const [endColumn, endRow] = [Math.ceil((box[2] - left) / cell), Math.ceil((box[3] - bottom) / cell)]
  let kinds = 0
  for (let row = firstRow; row < Math.min(rows, endRow); row++) {
    for (let column = firstColumn; column < Math.min(columns, endColumn); column++) kinds |= cells[row * columns + column] ?? 0
  }
  return kinds
}

function isHidden(comparison: Comparison, widget: PdfDict): boolean {
  const box = boxEntry(comparison.after, widget, 'Rect')
  const isEmpty = box !== undefined && (box[0] === box[2] || box[1] === box[3])
  return isEmpty || !widget.entries.has('Rect') || (flagsOf(comparison, widget) & HIDDEN) !== 0
}

/** Flags that cannot be read, or that viewers may cut off, count as those that show the widget elsewhere. */
function flagsOf({ after }: Comparison, widget: PdfDict): number {
  const value = after.resolve(widget.entries.get('F'))
  const flags = isNull(value) ? 0 : countOf(value)
  return flags === undefined || flags > MAX_FLAGS ? NO_ROTATE : flags
}
