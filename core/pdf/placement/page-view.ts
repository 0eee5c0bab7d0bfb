// A page as displayed: upright, in points, with the lower left corner of the visible area as origin. Seals are placed in this view, because
// user space can be rotated (/Rotate), shifted (boxes) and scaled (/UserUnit). ISO 32000-2, 8.3.2.3 and 14.11.2.
import type { PageBoxes } from '#core/pdf/read/page-boxes.ts'

/** a b c d e f of ISO 32000-2, 8.3.3: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [number, number, number, number, number, number]

export interface Point {
  readonly x: number
  readonly y: number
}

export interface PageView {
  readonly width: number
  readonly height: number
  /** Maps a point of the view to default user space. */
  readonly toUserSpace: Matrix
}

export function viewPage({ cropBox: [left, bottom, right, top], rotate, userUnit }: PageBoxes): PageView {
  const unit = 1 / userUnit
  const [width, height] = [(right - left) * userUnit, (top - bottom) * userUnit]
  const toUserSpace = {
    0: [unit, 0, 0, unit, left, bottom],
    90: [0, unit, -unit, 0, right, bottom],
    180: [-unit, 0, 0, -unit, right, top],
    270: [0, -unit, unit, 0, left, top],
  } as const satisfies Record<PageBoxes['rotate'], Matrix>
  const isTurned = rotate === 90 || rotate === 270
  return { width: isTurned ? height : width, height: isTurned ? width : height, toUserSpace: toUserSpace[rotate] }
}

/** Maps a point of user space to the view. */
export function toView({ toUserSpace: [a, b, c, d, e, f] }: PageView, { x, y }: Point): Point {
  const determinant = a * d - b * c
  return { x: (d * (x - e) - c * (y - f)) / determinant, y: (a * (y - f) - b * (x - e)) / determinant }
}

/** Applies `inner` first, then `outer`. */
export function compose(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner
  const [A, B, C, D, E, F] = outer
  return [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F]
}
