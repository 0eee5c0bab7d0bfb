// Where seals stand that no marker asks for: in rows and columns from the lower left of the page, smaller when there are many.
import type { PageView, Point } from './page-view.ts'
import { overlap, type SealBox } from './seal-box.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from './seal-size.ts'

const MARGIN = 36
const GAP = 6
const SHRINK = 0.95
/** A few seals rather shrink to this than grow over the text above the foot of the page. */
const COMFORTABLE_SCALE = 0.6
const FOOT_SHARE = 0.3

/**
 * `count` boxes from the bottom margin upwards, left to right, beside what is taken. They stay in the foot of the page as long as
 * that leaves them readable, then take the whole page, then shrink further.
 */
export function stackAtBottom(view: PageView, count: number, taken: readonly SealBox[]): SealBox[] {
  for (let scale = 1; scale >= COMFORTABLE_SCALE; scale *= SHRINK) {
    const boxes = freeCells(view, scale, taken, view.height * FOOT_SHARE)
    if (boxes.length >= count) return boxes.slice(0, count)
  }
  for (let scale = COMFORTABLE_SCALE; ; scale *= SHRINK) {
    const boxes = freeCells(view, scale, taken, view.height)
    if (boxes.length >= count) return boxes.slice(0, count)
  }
}

/** The free cell whose centre is nearest to the point, for a box of this scale; undefined when none is free. */
export function nearestFreeCell(view: PageView, scale: number, taken: readonly SealBox[], point: Point): SealBox | undefined {
  const distance = ({ corner }: SealBox) =>
    Math.hypot(corner.x + (SEAL_WIDTH * scale) / 2 - point.x, corner.y + (SEAL_HEIGHT * scale) / 2 - point.y)
  const cells = freeCells(view, scale, taken, view.height)
  return cells.reduce<SealBox | undefined>((best, cell) => (best && distance(best) <= distance(cell) ? best : cell), undefined)
}

function freeCells({ width, height }: PageView, scale: number, taken: readonly SealBox[], reach: number): SealBox[] {
  const margin = Math.min(MARGIN, Math.min(width, height) / 20)
  const [stepX, stepY] = [(SEAL_WIDTH + GAP) * scale, (SEAL_HEIGHT + GAP) * scale]
  const columns = Math.floor((width - 2 * margin + GAP * scale) / stepX)
  const rows = Math.floor((Math.min(reach, height - margin) - margin + GAP * scale) / stepY)
  const cells: SealBox[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cell = { corner: { x: margin + column * stepX, y: margin + row * stepY }, angle: 0, scale }
      if (!taken.some((other) => overlap(cell, other))) cells.push(cell)
    }
  }
  return cells
}
