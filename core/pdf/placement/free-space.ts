// The free space on a page view: how much ink a box would cover. Sums over the grid make every upright box equally cheap.
import { INK, type InkGrid, newInkGrid } from './ink-grid.ts'
import { type PageView, type Point, toView } from './page-view.ts'
import { cornersOf, depthOf, type SealBox } from './seal-box.ts'

/** Costs are cells with ink under an area, each text cell counting as TEXT_COST; 0 for a free area. */
export interface FreeSpace {
  costOfRectangle(left: number, bottom: number, right: number, top: number): number
  costOf(box: SealBox): number
}

/** Cost of a cell with text or fields, in cells with anything else. */
const TEXT_COST = 10
/** A box may share this part of a cell with ink: rounding errors. */
const TOLERANCE = 1e-4

/** Costs by the bits of a cell. */
const COSTS = Uint8Array.from({ length: 8 }, (_, ink) => costOfCell(ink))

/** Without a grid, the whole page is free. */
export function newFreeSpace(view: PageView, grid: InkGrid = newInkGrid({ cropBox: [0, 0, 1, 1], userUnit: 1 }, 1)): FreeSpace {
  const sums = sumsOf(grid)
  const costOfRectangle = (left: number, bottom: number, right: number, top: number): number => {
    const [a, b, c, d, e, f] = view.toUserSpace
    // One of a and c is 0: pages are rotated in quarters.
    const [x0, y0] = [a * left + c * bottom + e, b * left + d * bottom + f]
    const [x1, y1] = [a * right + c * top + e, b * right + d * top + f]
    return sumIn(sums, grid, x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 : x0, y0 < y1 ? y1 : y0)
  }
  return {
    costOfRectangle,
    costOf: (box) => {
      const corners = cornersOf(box)
      const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
      const rough = costOfRectangle(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys))
      return box.angle % 90 === 0 || rough === 0 ? rough : costOfSlanted(view, grid, box)
    },
  }
}

function costOfCell(ink: number): number {
  if (ink === 0) return 0
  return ink & INK.TEXT ? TEXT_COST : 1
}

/** Costs of all cells below and left of each corner of the grid. */
function sumsOf({ cells, columns, rows }: InkGrid): Uint32Array {
  const width = columns + 1
  const sums = new Uint32Array(width * (rows + 1))
  for (let row = 0, cell = 0, at = width; row < rows; row++) {
    let inRow = 0
    at++
    for (let column = 0; column < columns; column++, cell++, at++) {
      inRow += COSTS[cells[cell] ?? 0] ?? 0
      sums[at] = inRow + (sums[at - width] ?? 0)
    }
  }
  return sums
}

/** Sums the cells that the area in user space touches. */
function sumIn(sums: Uint32Array, grid: InkGrid, left: number, bottom: number, right: number, top: number): number {
  const { columns, rows } = grid
  const [first, end] = [firstCell(left - grid.left, grid.cell, columns), endCell(right - grid.left, grid.cell, columns)]
  const [low, high] = [firstCell(bottom - grid.bottom, grid.cell, rows), endCell(top - grid.bottom, grid.cell, rows)]
  if (end <= first || high <= low) return 0
  const [below, above] = [low * (columns + 1), high * (columns + 1)]
  const at = (index: number): number => sums[index] ?? 0
  return at(above + end) - at(above + first) - at(below + end) + at(below + first)
}

function firstCell(from: number, cell: number, count: number): number {
  return Math.min(Math.max(Math.floor(from / cell + TOLERANCE), 0), count)
}

function endCell(to: number, cell: number, count: number): number {
  return Math.min(Math.max(Math.ceil(to / cell - TOLERANCE), 0), count)
}

// A cell counts when its centre is inside or less than half a diagonal away.
function costOfSlanted(view: PageView, grid: InkGrid, box: SealBox): number {
  const corners = cornersOf(box).map((corner) => toUserSpace(view, corner))
  const [xs, ys] = [corners.map(({ x }) => x - grid.left), corners.map(({ y }) => y - grid.bottom)]
  const [endColumn, endRow] = [endCell(Math.max(...xs), grid.cell, grid.columns), endCell(Math.max(...ys), grid.cell, grid.rows)]
  const [a, b] = view.toUserSpace
  const reach = (grid.cell * Math.SQRT1_2) / Math.hypot(a, b)
  let cost = 0
  for (let row = firstCell(Math.min(...ys), grid.cell, grid.rows); row < endRow; row++) {
    for (let column = firstCell(Math.min(...xs), grid.cell, grid.columns); column < endColumn; column++) {
      const ink = grid.cells[row * grid.columns + column] ?? 0
      if (ink === 0) continue
      const centre = { x: grid.left + (column + 0.5) * grid.cell, y: grid.bottom + (row + 0.5) * grid.cell }
      if (depthOf(box, toView(view, centre)) > -reach) cost += costOfCell(ink)
    }
  }
  return cost
}

function toUserSpace({ toUserSpace: [a, b, c, d, e, f] }: PageView, { x, y }: Point): Point {
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}
