// The box of one seal on a page view: the seal's shape, at any size and angle, with its geometry.
import type { Matrix, Point } from './page-view.ts'

/** The drawn size of a seal in points: three inches by one. Placement may scale it down. */
export const SEAL_WIDTH = 216
export const SEAL_HEIGHT = 72

/** Down to this the seal is readable: 120 x 40 points. */
export const READABLE_SCALE = 120 / SEAL_WIDTH

/** The sizes that a seal is drawn for, as scales: at a smaller scale than the first, text has to be larger in proportion. */
export const LAYOUT_SCALES = [1, 0.75, READABLE_SCALE] as const

/** The index of the layout for a seal of this scale. */
export function layoutFor(scale: number): number {
  const index = LAYOUT_SCALES.findIndex((drawn) => drawn <= scale + TOLERANCE)
  return index < 0 ? LAYOUT_SCALES.length - 1 : index
}

export interface SealBox {
  /** Lower left corner of the upright seal, which is also the centre of rotation. */
  readonly corner: Point
  /** Degrees, counter-clockwise. */
  readonly angle: number
  readonly scale: number
}

/** Boxes may touch: differences below this, in points, are rounding errors. */
const TOLERANCE = 1e-6

/** Maps the form's space, SEAL_WIDTH x SEAL_HEIGHT, to the view. */
export function boxMatrix({ corner, angle, scale }: SealBox): Matrix {
  const { x, y } = direction(angle)
  return [x * scale, y * scale, -y * scale, x * scale, corner.x, corner.y]
}

/** The box whose point (u, v), as fractions of its width and height, is at `anchor`. */
export function boxAround(anchor: Point, [u, v]: readonly [number, number], angle: number, scale: number): SealBox {
  const { x, y } = direction(angle)
  const [right, up] = [u * SEAL_WIDTH * scale, v * SEAL_HEIGHT * scale]
  return { corner: { x: anchor.x - x * right + y * up, y: anchor.y - y * right - x * up }, angle, scale }
}

/** Counter-clockwise from the lower left corner. */
export function cornersOf(box: SealBox): Point[] {
  const [a, b, c, d, e, f] = boxMatrix(box)
  const [w, h] = [SEAL_WIDTH, SEAL_HEIGHT]
  return [
    { x: e, y: f },
    { x: a * w + e, y: b * w + f },
    { x: a * w + c * h + e, y: b * w + d * h + f },
    { x: c * h + e, y: d * h + f },
  ]
}

export function isInside(box: SealBox, { width, height }: { width: number; height: number }): boolean {
  return cornersOf(box).every(
    ({ x, y }) => x >= -TOLERANCE && y >= -TOLERANCE && x <= width + TOLERANCE && y <= height + TOLERANCE,
  )
}

/** Distance in points from the point to the nearest edge: positive inside, negative outside. */
export function depthOf(box: SealBox, point: Point): number {
  const { x, y } = direction(box.angle)
  const [dx, dy] = [point.x - box.corner.x, point.y - box.corner.y]
  const [along, across] = [dx * x + dy * y, dy * x - dx * y]
  return Math.min(along, across, SEAL_WIDTH * box.scale - along, SEAL_HEIGHT * box.scale - across)
}

/** The point in the space of the form, SEAL_WIDTH x SEAL_HEIGHT. */
export function toBoxSpace({ corner, angle, scale }: SealBox, point: Point): Point {
  const { x, y } = direction(angle)
  const [dx, dy] = [point.x - corner.x, point.y - corner.y]
  return { x: (dx * x + dy * y) / scale, y: (dy * x - dx * y) / scale }
}

/** Whether the point is inside the box or on its edge. */
export function covers(box: SealBox, point: Point): boolean {
  return depthOf(box, point) >= -TOLERANCE
}

/** Whether the point is inside the box and not on its edge. */
export function hides(box: SealBox, point: Point): boolean {
  return depthOf(box, point) > TOLERANCE
}

/** Moves the box by the smallest distance that brings it into the page; a box larger than the page stays outside. */
export function slideInside(box: SealBox, { width, height }: { width: number; height: number }): SealBox {
  const corners = cornersOf(box)
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  const dx = Math.max(0, -Math.min(...xs)) + Math.min(0, width - Math.max(...xs))
  const dy = Math.max(0, -Math.min(...ys)) + Math.min(0, height - Math.max(...ys))
  return { ...box, corner: { x: box.corner.x + dx, y: box.corner.y + dy } }
}

/** Whether two boxes share more than an edge: no line along a side of either separates them. */
export function overlap(one: SealBox, other: SealBox): boolean {
  const [these, those] = [cornersOf(one), cornersOf(other)]
  return [one.angle, one.angle + 90, other.angle, other.angle + 90].every((angle) => {
    const axis = direction(angle)
    const [low, high] = shadow(these, axis)
    const [otherLow, otherHigh] = shadow(those, axis)
    return low < otherHigh - TOLERANCE && otherLow < high - TOLERANCE
  })
}

function shadow(corners: readonly Point[], axis: Point): [number, number] {
  const positions = corners.map(({ x, y }) => x * axis.x + y * axis.y)
  return [Math.min(...positions), Math.max(...positions)]
}

// Exact at right angles, where Math.cos returns 6e-17, which would show in formatted matrices.
export function direction(angle: number): Point {
  const quarter = (((angle % 360) + 360) % 360) / 90
  if (Number.isInteger(quarter))
    return (
      [
        { x: 1, y: 0 },
        { x: 0, y: 1 },
        { x: -1, y: 0 },
      ][quarter] ?? { x: 0, y: -1 }
    )
  const radians = (angle * Math.PI) / 180
  return { x: Math.cos(radians), y: Math.sin(radians) }
}
