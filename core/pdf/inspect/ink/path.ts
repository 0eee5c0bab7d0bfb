// The current path as polylines in default user space (ISO 32000-2, 8.5.2). Curves become four segments: exact enough for a grid.
import { type Matrix, transform } from '../matrix.ts'
import type { Box } from '../../read/page-boxes.ts'
import { boxOf } from './glyph-ink.ts'

type Point = [number, number]

export interface Path {
  readonly lines: Point[][]
  points: number
}

/** A longer path is cut off: its rest is painted near what was read. */
const MAX_POINTS = 200_000
const CURVE_STEPS = 4

export function newPath(): Path {
  return { lines: [], points: 0 }
}

export function moveTo(path: Path, ctm: Matrix, x: number, y: number): void {
  if (path.points++ < MAX_POINTS) path.lines.push([transform(ctm, x, y)])
}

export function lineTo(path: Path, ctm: Matrix, x: number, y: number): void {
  if (path.points++ < MAX_POINTS) path.lines.at(-1)?.push(transform(ctm, x, y))
}

/** `controls` are the two control points and the end; the first one may be left out where it is the current point. */
export function curveTo(path: Path, ctm: Matrix, controls: readonly Point[]): void {
  const line = path.lines.at(-1)
  const from = line?.at(-1)
  if (line === undefined || from === undefined || path.points >= MAX_POINTS) return
  const points = controls.map(([x, y]) => transform(ctm, x, y))
  const [first = from, second = from, end = from] = points.length === 3 ? points : [from, ...points]
  for (let step = 1; step <= CURVE_STEPS; step++) {
    const t = step / CURVE_STEPS
    const at = (axis: 0 | 1): number =>
      (1 - t) ** 3 * from[axis] + 3 * (1 - t) ** 2 * t * first[axis] + 3 * (1 - t) * t ** 2 * second[axis] + t ** 3 * end[axis]
    line.push([at(0), at(1)])
  }
  path.points += CURVE_STEPS
}

export function rectangle(path: Path, ctm: Matrix, [x, y, width, height]: readonly [number, number, number, number]): void {
  moveTo(path, ctm, x, y)
  lineTo(path, ctm, x + width, y)
  lineTo(path, ctm, x + width, y + height)
  lineTo(path, ctm, x, y + height)
  closePath(path)
}

export function closePath({ lines }: Path): void {
  const line = lines.at(-1)
  const first = line?.[0]
  if (line !== undefined && first !== undefined) line.push([...first])
}

/** The smallest box around all of it. */
export function pathBox({ lines }: Path): Box {
  return boxOf(lines.flat())
}
