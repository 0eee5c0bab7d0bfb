// Places seals without a marker: one grid in signing order, left to right and line by line, on free space of the page.
import { type PageSpace, SCALES, scalesUpTo } from './place-in-free-space.ts'
import { type MarkerBox, coversText } from './marker-text.ts'
import type { PageView } from './page-view.ts'
import type { FreeSpace } from './free-space.ts'
import { cornersOf, overlap, READABLE_SCALE, SEAL_HEIGHT, SEAL_WIDTH, type SealBox } from './seal-box.ts'
import { stackAtBottom } from './seal-grid.ts'

const MARGIN = 36
const GAP = 6
/** A few seals shrink, but not below this scale, before they grow over the text above the foot of the page. */
const [FOOT_SHARE, FOOT_SCALE] = [0.3, 0.6]
/** Positions of the grid on the page, per side, and the smallest step between them in points. */
const [MAX_STEPS, STEP] = [150, 4]

interface Shape {
  readonly columns: number
  readonly rows: number
  readonly scale: number
}

interface Bounds {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

interface Position {
  readonly x: number
  readonly y: number
}

/** `count` boxes; over ink only where the page has no room for all of them at a readable size. */
export function placeGrid({ view, free, texts }: PageSpace, count: number, taken: readonly SealBox[]): SealBox[] {
  if (count === 0) return []
  const shapes = shapesOf(view, count)
  const bounds = taken.map(boundsOf)
  for (const shape of shapes) {
    for (const position of positionsOf(view, shape)) {
      if (costUnder(free, shape, position) > 0) continue
      if (bounds.some((other) => touches(other, shape, position))) continue
      const boxes = boxesOf(shape, position, count)
      if (!coversAny(boxes, texts)) return boxes
    }
  }
  const scattered = placeScattered(view, free, count, taken)
  if (scattered) return scattered
  const smallest = shapes.filter(({ scale }) => scale === Math.min(...shapes.map((shape) => shape.scale)))
  return leastCovered(view, free, smallest, count, taken) ?? stackAtBottom(view, count, taken)
}

/** Low grids first while readable, then any; the largest and widest first. */
function shapesOf(view: PageView, count: number): Shape[] {
  const shapes = scalesUpTo(SCALES[0]).flatMap((scale) => {
    const most = Math.min(count, Math.floor((view.width - 2 * marginOf(view) + GAP * scale) / ((SEAL_WIDTH + GAP) * scale)))
    return Array.from({ length: Math.max(0, most) }, (_, less): Shape => {
      const columns = most - less
      return { columns, rows: Math.ceil(count / columns), scale }
    })
  })
  const isLow = (shape: Shape): boolean => shape.scale >= FOOT_SCALE && sizeOf(shape).height <= view.height * FOOT_SHARE
  return [...shapes.filter(isLow), ...shapes.filter((shape) => !isLow(shape))]
}

function sizeOf({ columns, rows, scale }: Shape): { width: number; height: number } {
  return { width: ((SEAL_WIDTH + GAP) * columns - GAP) * scale, height: ((SEAL_HEIGHT + GAP) * rows - GAP) * scale }
}

/** From the foot of the page upwards, at each height from the left margin. */
function* positionsOf(view: PageView, shape: Shape): Generator<Position> {
  const margin = marginOf(view)
  const { width, height } = sizeOf(shape)
  const [stepX, stepY] = [Math.max(STEP, view.width / MAX_STEPS), Math.max(STEP, view.height / MAX_STEPS)]
  for (let x = margin; x + width <= view.width - margin + 1e-6; x += stepX) {
    for (let y = margin; y + height <= view.height - margin + 1e-6; y += stepY) yield { x, y }
  }
}

/** Boxes in reading order. */
function boxesOf({ columns, rows, scale }: Shape, { x, y }: Position, count: number): SealBox[] {
  return Array.from({ length: count }, (_, index) => {
    const [row, column] = [rows - 1 - Math.floor(index / columns), index % columns]
    const corner = { x: x + column * (SEAL_WIDTH + GAP) * scale, y: y + row * (SEAL_HEIGHT + GAP) * scale }
    return { corner, angle: 0, scale }
  })
}

function costUnder(free: FreeSpace, shape: Shape, { x, y }: Position): number {
  const { width, height } = sizeOf(shape)
  return free.costOfRectangle(x, y, x + width, y + height)
}

function boundsOf(box: SealBox): Bounds {
  const corners = cornersOf(box)
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) }
}

function touches({ left, bottom, right, top }: Bounds, shape: Shape, { x, y }: Position): boolean {
  const { width, height } = sizeOf(shape)
  return left < x + width && x < right && bottom < y + height && y < top
}

function isApart(boxes: readonly SealBox[], taken: readonly SealBox[]): boolean {
  return !taken.some((other) => boxes.some((box) => overlap(box, other)))
}

/** The columns of one grid, but its lines wherever there is room; undefined when there is too little. */
function placeScattered(view: PageView, free: FreeSpace, count: number, taken: readonly SealBox[]): SealBox[] | undefined {
  const shape = { columns: 1, rows: 1, scale: READABLE_SCALE }
  const { width, height } = sizeOf(shape)
  const [margin, gap] = [marginOf(view), GAP * READABLE_SCALE]
  const step = Math.max(STEP, view.height / MAX_STEPS)
  const end = Math.min(view.width - margin, margin + MAX_STEPS * (width + gap))
  const lines: SealBox[][] = []
  for (let y = margin, found = 0; y + height <= view.height - margin && found < count; y += step) {
    const line: SealBox[] = []
    for (let x = margin; x + width <= end; x += width + gap) {
      const boxes = boxesOf(shape, { x, y }, 1)
      if (costUnder(free, shape, { x, y }) === 0 && isApart(boxes, taken)) line.push(...boxes)
    }
    if (line.length === 0) continue
    lines.unshift(line)
    found += line.length
    y += height + gap - Math.min(step, height + gap)
  }
  const boxes = lines.flat()
  return boxes.length >= count ? boxes.slice(0, count) : undefined
}

function coversAny(boxes: readonly SealBox[], texts: readonly MarkerBox[]): boolean {
  return texts.some((text) => boxes.some((box) => coversText(box, text)))
}

function leastCovered(
  view: PageView,
  free: FreeSpace,
  shapes: readonly Shape[],
  count: number,
  taken: readonly SealBox[],
): SealBox[] | undefined {
  let [best, least]: [SealBox[] | undefined, number] = [undefined, Infinity]
  for (const shape of shapes) {
    for (const position of positionsOf(view, shape)) {
      const cost = costUnder(free, shape, position)
      const boxes = cost < least ? boxesOf(shape, position, count) : []
      if (cost < least && isApart(boxes, taken)) [best, least] = [boxes, cost]
    }
  }
  return best
}

function marginOf({ width, height }: PageView): number {
  return Math.min(MARGIN, Math.min(width, height) / 20)
}
