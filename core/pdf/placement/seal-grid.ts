// Places seals without a marker: in rows and columns from the lower left of the page, smaller when there are many.
import type { PageView, Point } from './page-view.ts'
import { overlap, SEAL_HEIGHT, SEAL_WIDTH, type SealBox } from './seal-box.ts'

const MARGIN = 36
const GAP = 6
const SHRINK = 0.95
/** A few seals shrink to this before they grow over the text above the foot of the page. */
const READABLE_SCALE = 0.6
const FOOT_SHARE = 0.3
/** Below this a seal is unreadable; for a page that is full of other seals or too small for any. */
const MIN_SCALE = 0.02
/** More cells than the seals of an envelope can occupy in any row. */
const NEARBY_CELLS = 20

/**
 * Places `count` boxes from the bottom margin upwards, left to right, beside the taken ones. They stay in the foot of the page while
 * readable there, then use the whole page, then shrink further. On a page that is nearly full they overlap the taken ones.
 */
export function stackAtBottom(view: PageView, count: number, taken: readonly SealBox[]): SealBox[] {
  for (let scale = 1; scale >= READABLE_SCALE; scale *= SHRINK) {
    const boxes = freeCells(view, scale, view.height * FOOT_SHARE, taken, count)
    if (boxes.length === count) return boxes
  }
  for (let scale = READABLE_SCALE; scale >= MIN_SCALE; scale *= SHRINK) {
    const boxes = freeCells(view, scale, view.height, taken, count)
    if (boxes.length === count) return boxes
  }
  for (let scale = MIN_SCALE; ; scale *= SHRINK) {
    const boxes = freeCells(view, scale, view.height, [], count)
    if (boxes.length === count) return boxes
  }
}

/** The free cell with its centre nearest to the point, for a box of this scale; undefined when none is free. */
export function nearestFreeCell(view: PageView, scale: number, taken: readonly SealBox[], point: Point): SealBox | undefined {
  const distance = ({ corner }: SealBox) =>
    Math.hypot(corner.x + (SEAL_WIDTH * scale) / 2 - point.x, corner.y + (SEAL_HEIGHT * scale) / 2 - point.y)
  const nearestFirst = [...cells(view, scale, view.height, point)].toSorted((one, other) => distance(one) - distance(other))
  return nearestFirst.find((cell) => !taken.some((other) => overlap(cell, other)))
}

/** The first `count` free cells, or fewer. */
function freeCells(view: PageView, scale: number, reach: number, taken: readonly SealBox[], count: number): SealBox[] {
  const free: SealBox[] = []
  if (count === 0) return free
  for (const cell of cells(view, scale, reach)) {
    if (taken.some((other) => overlap(cell, other))) continue
    free.push(cell)
    if (free.length === count) break
  }
  return free
}

/** Row by row; on a page with very many cells, only those around the point. */
function* cells({ width, height }: PageView, scale: number, reach: number, around?: Point): Generator<SealBox> {
  const margin = Math.min(MARGIN, Math.min(width, height) / 20)
  const [stepX, stepY] = [(SEAL_WIDTH + GAP) * scale, (SEAL_HEIGHT + GAP) * scale]
  const columns = Math.floor((width - 2 * margin + GAP * scale) / stepX)
  const rows = Math.floor((Math.min(reach, height - margin) - margin + GAP * scale) / stepY)
  if (columns <= 0) return
  const [firstRow, endRow] = nearby(rows, around && (around.y - margin) / stepY)
  const [firstColumn, endColumn] = nearby(columns, around && (around.x - margin) / stepX)
  for (let row = firstRow; row < endRow; row++) {
    for (let column = firstColumn; column < endColumn; column++) {
      yield { corner: { x: margin + column * stepX, y: margin + row * stepY }, angle: 0, scale }
    }
  }
}

/** The range of cells in a row or column to consider: all, or a limited number to either side of `place`. */
function nearby(cells: number, place: number | undefined): [number, number] {
  if (place === undefined || cells <= 2 * NEARBY_CELLS) return [0, cells]
  const first = Math.min(Math.max(Math.floor(place) - NEARBY_CELLS, 0), cells - 2 * NEARBY_CELLS)
  return [first, first + 2 * NEARBY_CELLS]
}
