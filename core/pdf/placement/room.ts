// The room on a page view: how much ink a box would cover. Sums over the grid make every upright box equally cheap.
import { INK, type InkGrid, newInkGrid } from './ink-grid.ts'
import { type PageView, type Point, toView } from './page-view.ts'
import { cornersOf, depthOf, type SealBox } from './seal-box.ts'

export interface Room {
  /** Cells with text or fields, and with anything else, under a rectangle of the view. */
  inkOfRectangle(left: number, bottom: number, right: number, top: number): Ink
  inkOf(box: SealBox): Ink
}

export interface Ink {
  readonly text: number
  readonly other: number
}

/** A box may share this part of a cell with ink: rounding errors. */
const TOLERANCE = 1e-4

/** Without a grid, the whole page is free. */
export function newRoom(view: PageView, grid: InkGrid = newInkGrid({ cropBox: [0, 0, 1, 1], userUnit: 1 }, 1)): Room {
  const text = sumsOf(grid, (cell) => (cell & INK.TEXT) !== 0)
  const other = sumsOf(grid, (cell) => cell !== 0 && (cell & INK.TEXT) === 0)
  const inkUnder = (corners: readonly Point[]): Ink => {
    const [columns, rows] = cellRanges(
      grid,
      corners.map((corner) => toUserSpace(view, corner)),
    )
    return { text: sumIn(text, grid, columns, rows), other: sumIn(other, grid, columns, rows) }
  }
  return {
    inkOfRectangle: (left, bottom, right, top) =>
      inkUnder([
        { x: left, y: bottom },
        { x: right, y: top },
      ]),
    inkOf: (box) => {
      const rough = inkUnder(cornersOf(box))
      return box.angle % 90 === 0 || rough.text + rough.other === 0 ? rough : inkOfSlanted(view, grid, box)
    },
  }
}

function toUserSpace({ toUserSpace: [a, b, c, d, e, f] }: PageView, { x, y }: Point): Point {
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}

type Range = readonly [number, number]

/** The columns and rows that the box around the points touches, without their ends. */
function cellRanges({ left, bottom, cell, columns, rows }: InkGrid, points: readonly Point[]): [Range, Range] {
  const range = (values: number[], from: number, count: number): Range => [
    Math.min(Math.max(Math.floor((Math.min(...values) - from) / cell + TOLERANCE), 0), count),
    Math.min(Math.max(Math.ceil((Math.max(...values) - from) / cell - TOLERANCE), 0), count),
  ]
  return [
    range(
      points.map(({ x }) => x),
      left,
      columns,
    ),
    range(
      points.map(({ y }) => y),
      bottom,
      rows,
    ),
  ]
}

/** Cells below and left of each corner of the grid. */
function sumsOf({ cells, columns, rows }: InkGrid, counts: (cell: number) => boolean): Uint32Array {
  const sums = new Uint32Array((columns + 1) * (rows + 1))
  for (let row = 0; row < rows; row++) {
    let inRow = 0
    for (let column = 0; column < columns; column++) {
      if (counts(cells[row * columns + column] ?? 0)) inRow++
      sums[(row + 1) * (columns + 1) + column + 1] = inRow + (sums[row * (columns + 1) + column + 1] ?? 0)
    }
  }
  return sums
}

function sumIn(sums: Uint32Array, { columns }: InkGrid, [left, right]: Range, [bottom, top]: Range): number {
  const at = (row: number, column: number): number => sums[row * (columns + 1) + column] ?? 0
  return right <= left || top <= bottom ? 0 : at(top, right) - at(top, left) - at(bottom, right) + at(bottom, left)
}

// A cell counts when its centre is inside or less than half a diagonal away.
function inkOfSlanted(view: PageView, grid: InkGrid, box: SealBox): Ink {
  const corners = cornersOf(box).map((corner) => toUserSpace(view, corner))
  const [[firstColumn, endColumn], [firstRow, endRow]] = cellRanges(grid, corners)
  const [a, b] = view.toUserSpace
  const reach = (grid.cell * Math.SQRT1_2) / Math.hypot(a, b)
  let [text, other] = [0, 0]
  for (let row = firstRow; row < endRow; row++) {
    for (let column = firstColumn; column < endColumn; column++) {
      const ink = grid.cells[row * grid.columns + column] ?? 0
      if (ink === 0) continue
      const centre = { x: grid.left + (column + 0.5) * grid.cell, y: grid.bottom + (row + 0.5) * grid.cell }
      if (depthOf(box, toView(view, centre)) <= -reach) continue
      if (ink & INK.TEXT) text++
      else other++
    }
  }
  return { text, other }
}
