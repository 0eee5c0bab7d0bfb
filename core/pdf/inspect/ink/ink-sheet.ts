// Collects the ink of one page within a limit on work: a hostile page that exceeds it counts as full.
import { INK, type InkGrid, markBox } from '../../placement/ink-grid.ts'
import type { Box } from '../../read/page-boxes.ts'

export interface InkSheet {
  readonly grid: InkGrid
  /** The visible area. */
  readonly area: Box
  /** Cells to mark and operators to run until the page counts as full. */
  workLeft: number
  hasImages: boolean
  /** Glyphs that show, and those that a text recognition has put behind a scan. */
  shownGlyphs: number
  hiddenGlyphs: number
}

const MAX_WORK = 8_000_000
/** A fill of this share of the page is its background. */
const BACKGROUND_SHARE = 0.35
/** Images that cover this share of a page with text are a scan or a letterhead: only the text counts. */
const SCAN_SHARE = 0.6
const [FEW_HIDDEN_GLYPHS, FEW_GLYPHS] = [20, 100]

export function newInkSheet(grid: InkGrid, area: Box): InkSheet {
  return { grid, area, workLeft: MAX_WORK, hasImages: false, shownGlyphs: 0, hiddenGlyphs: 0 }
}

export function addInk(sheet: InkSheet, box: Box, kind: number): void {
  sheet.hasImages ||= kind === INK.IMAGE
  if (sheet.workLeft > 0) sheet.workLeft -= markBox(sheet.grid, box, kind) + 1
}

export function isBackground({ area }: InkSheet, box: Box): boolean {
  return sizeOf(intersect(box, area)) >= sizeOf(area) * BACKGROUND_SHARE
}

/** The common part; empty boxes have no size. */
export function intersect(one: Box, other: Box): Box {
  return [Math.max(one[0], other[0]), Math.max(one[1], other[1]), Math.min(one[2], other[2]), Math.min(one[3], other[3])]
}

export function sizeOf([left, bottom, right, top]: Box): number {
  return Math.max(0, right - left) * Math.max(0, top - bottom)
}

/** The grid after all content is read; the picture of a scan or letterhead does not count. */
export function finishSheet({ grid, workLeft, hasImages, shownGlyphs, hiddenGlyphs }: InkSheet): InkGrid {
  const { cells } = grid
  if (workLeft <= 0) cells.fill(INK.DRAWING)
  const hasText = hiddenGlyphs >= FEW_HIDDEN_GLYPHS || shownGlyphs >= FEW_GLYPHS
  if (hasImages && hasText && countImages(cells) >= cells.length * SCAN_SHARE) {
    for (let at = 0; at < cells.length; at++) cells[at] = (cells[at] ?? 0) & ~INK.IMAGE
  }
  return grid
}

function countImages(cells: Uint8Array): number {
  let count = 0
  for (const cell of cells) if (cell & INK.IMAGE) count++
  return count
}
