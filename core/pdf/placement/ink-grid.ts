// What is on a page, as a grid over its visible area: placement looks for free space in it. Upright cells in default user space, a byte each, so
// that any drawing costs the same to store and to search.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Box, PageBoxes } from '../read/page-boxes.ts'

/** Kinds of ink, as bits of a cell. */
export const INK = {
  /** Lines and filled areas. */
  DRAWING: 1,
  /** Text and form fields. */
  TEXT: 2,
  IMAGE: 4,
} as const

export interface InkGrid {
  readonly left: number
  readonly bottom: number
  /** Side of a cell in user space. */
  readonly cell: number
  readonly columns: number
  readonly rows: number
  /** Row by row from the lower left. */
  readonly cells: Uint8Array
}

/** A grid as JSON. */
export interface PageInk extends Omit<InkGrid, 'cells'> {
  /** Counted from 0. */
  readonly page: number
  /** Deflated, in base64. */
  readonly cells: string
}

/** A page of any size has at most about this many cells. */
const MAX_CELLS = 250_000

/** An empty grid with cells of this many points, or larger ones on a large page. */
export function newInkGrid({ cropBox, userUnit }: Pick<PageBoxes, 'cropBox' | 'userUnit'>, cellPoints: number): InkGrid {
  const [left, bottom, right, top] = cropBox
  const [width, height] = [right - left, top - bottom]
  const cell = Math.max(cellPoints / userUnit, Math.sqrt((width * height) / MAX_CELLS), Math.max(width, height) / MAX_CELLS)
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)]
  return { left, bottom, cell, columns, rows, cells: new Uint8Array(columns * rows) }
}

/** Marks the cells that the box touches; returns their number. */
export function markBox(grid: InkGrid, [left, bottom, right, top]: Box, kind: number): number {
  const { cells, columns, rows } = grid
  const firstColumn = Math.max(0, Math.floor((left - grid.left) / grid.cell))
  const lastColumn = Math.min(columns - 1, Math.floor((right - grid.left) / grid.cell))
  const firstRow = Math.max(0, Math.floor((bottom - grid.bottom) / grid.cell))
  const lastRow = Math.min(rows - 1, Math.floor((top - grid.bottom) / grid.cell))
  // Also skips boxes with coordinates that are not numbers.
  if (!(firstColumn <= lastColumn && firstRow <= lastRow)) return 0
  for (let row = firstRow; row <= lastRow; row++) {
    for (let at = row * columns + firstColumn; at <= row * columns + lastColumn; at++) cells[at] = (cells[at] ?? 0) | kind
  }
  return (lastColumn - firstColumn + 1) * (lastRow - firstRow + 1)
}

export function packInk(page: number, { cells, ...grid }: InkGrid): PageInk {
  return { page, ...grid, cells: deflateRawSync(cells).toString('base64') }
}

export function unpackInk({ cells, left, bottom, cell, columns, rows }: PageInk): InkGrid {
  return { left, bottom, cell, columns, rows, cells: inflateRawSync(Buffer.from(cells, 'base64')) }
}
