// Places seals at their markers where there is room: over the marker's own text and nothing else. All seals of a page have one size, the
// largest possible, and those of one line are aligned.
import { type MarkerBox, coversText, pointOf, textArea } from './marker-text.ts'
import type { PageView } from './page-view.ts'
import type { FreeSpace } from './free-space.ts'
import { isInside, overlap, READABLE_SCALE, SEAL_HEIGHT, SEAL_WIDTH, type SealBox, slideInside } from './seal-box.ts'

/** A page view and what may be covered on it. */
export interface PageSpace {
  readonly view: PageView
  readonly free: FreeSpace
  /** All markers of the page. A seal covers the text of its own only. */
  readonly texts: readonly MarkerBox[]
}

/** An offset of the seal's lower left corner from the marker's origin, along the text and across it. */
type Offset = readonly [number, number]

/** Sizes to try, as scales. */
export const SCALES = [1, 0.92, 0.84, 0.75, 0.68, 0.61, READABLE_SCALE] as const
/** The panel starts this many points left of the text. */
const INDENT = 2
/** Points between the offsets that are tried, along and across. */
const [STEP_ALONG, STEP_ACROSS] = [6, 4]
/** Markers whose baselines are this close, in points, are on one line. */
const SAME_LINE = 3
/** More steps are not worth the time. */
const MAX_STEPS = 36

/** The scales that are not larger than `largest`, which may be smaller than all of them. */
export function scalesUpTo(largest: number): number[] {
  const scales = SCALES.filter((scale) => scale <= largest)
  return scales.length > 0 ? scales : [largest]
}

/** A box for each marker that has room; undefined for the others. */
export function placeInFreeSpace(space: PageSpace, markers: readonly MarkerBox[], largest: number): (SealBox | undefined)[] {
  const scales = scalesUpTo(largest)
  const smallest = scales.at(-1) ?? largest
  const roomy = markers.filter((marker) => firstFree(space, marker, smallest, []) !== undefined)
  for (const scale of scales) {
    const boxes = placeLines(space, roomy, scale)
    if (boxes.size === roomy.length || scale === smallest) return markers.map((marker) => boxes.get(marker))
  }
  return markers.map(() => undefined)
}

function placeLines(space: PageSpace, markers: readonly MarkerBox[], scale: number): Map<MarkerBox, SealBox> {
  const placed = new Map<MarkerBox, SealBox>()
  for (const line of linesOf(markers)) {
    const boxes = placeLine(space, line, scale, [...placed.values()])
    for (const [marker, box] of boxes) placed.set(marker, box)
  }
  return placed
}

// All seals of the line at one height; where that is impossible, each for itself.
function placeLine(
  space: PageSpace,
  line: readonly MarkerBox[],
  scale: number,
  taken: readonly SealBox[],
): Map<MarkerBox, SealBox> {
  const [first] = line
  if (first === undefined) return new Map()
  if (line.length > 1) {
    for (const height of stepsOf(first, scale).acrosses) {
      for (const packed of [false, true]) {
        const boxes = alignLine(space, line, scale, taken, { height, packed })
        if (boxes.size === line.length) return boxes
      }
    }
  }
  const boxes = new Map<MarkerBox, SealBox>()
  for (const marker of line) {
    const box = firstFree(space, marker, scale, [...taken, ...boxes.values()])
    if (box !== undefined) boxes.set(marker, box)
  }
  return boxes
}

/** `packed`: each seal as far to the left as possible, which finds a solution wherever there is one. */
function alignLine(
  space: PageSpace,
  line: readonly MarkerBox[],
  scale: number,
  taken: readonly SealBox[],
  { height, packed }: { height: number; packed: boolean },
): Map<MarkerBox, SealBox> {
  const boxes = new Map<MarkerBox, SealBox>()
  for (const marker of line) {
    const { alongs } = stepsOf(marker, scale)
    const box = (packed ? alongs.toSorted((one, other) => one - other) : alongs)
      .map((along) => boxAt(marker, [along, height], scale))
      .find((candidate) => isFree(space, marker, candidate, [...taken, ...boxes.values()]))
    if (box === undefined) return boxes
    boxes.set(marker, box)
  }
  return boxes
}

function firstFree(space: PageSpace, marker: MarkerBox, scale: number, taken: readonly SealBox[]): SealBox | undefined {
  for (const box of boxesAt(space, marker, scale)) if (isFree(space, marker, box, taken)) return box
  return undefined
}

function isFree({ view, free, texts }: PageSpace, own: MarkerBox, box: SealBox, taken: readonly SealBox[]): boolean {
  if (!isInside(box, view)) return false
  return (
    free.costOf(box) === 0 &&
    !taken.some((each) => overlap(box, each)) &&
    !texts.some((marker) => marker !== own && coversText(box, marker))
  )
}

/** The box that covers its own text and as little else as possible; undefined when other seals leave no place. */
export function placeOverInk(space: PageSpace, marker: MarkerBox, scale: number, taken: readonly SealBox[]): SealBox | undefined {
  const blank = { ...space, free: { ...space.free, costOf: () => 0 } }
  let [best, least]: [SealBox | undefined, number] = [undefined, Infinity]
  for (const each of boxesAt(space, marker, scale)) {
    const box = slideInside(each, space.view)
    if (!isFree(blank, marker, box, taken)) continue
    const cost = space.free.costOf(box)
    if (cost < least) [best, least] = [box, cost]
  }
  return best
}

/** The usual position first, moved into the page, then the nearest ones. */
function* boxesAt({ view }: PageSpace, marker: MarkerBox, scale: number): Generator<SealBox> {
  const { alongs, acrosses } = stepsOf(marker, scale)
  const [usualAlong = 0] = alongs
  const [usualAcross = 0] = acrosses
  // The others are worked out only where this one is taken, which is rare.
  yield slideInside(boxAt(marker, [usualAlong, usualAcross], scale), view)
  const distance = ([along, across]: Offset): number => Math.hypot(along - usualAlong, across - usualAcross)
  yield* alongs
    .flatMap((along) => acrosses.map((across) => ({ along, across, distance: distance([along, across]) })))
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ along, across }) => boxAt(marker, [along, across], scale))
}

function boxAt(marker: MarkerBox, [along, across]: Offset, scale: number): SealBox {
  return { corner: pointOf(marker, along, across), angle: marker.angle, scale }
}

/**
 * The offsets along and across at which the seal contains the text, or as much as it can; those near the usual one first: up and to the
 * right of the text.
 */
function stepsOf(marker: MarkerBox, scale: number): { alongs: number[]; acrosses: number[] } {
  const [start, lowest, end, top] = textArea(marker)
  const [width, height] = [SEAL_WIDTH * scale, SEAL_HEIGHT * scale]
  const left = start - INDENT
  // A text larger than the seal has at least its origin inside.
  const bottom = Math.max(lowest, -height / 2)
  return {
    alongs: stepsBetween(Math.min(end - width, left), Math.max(end - width, left), left, STEP_ALONG),
    acrosses: stepsBetween(Math.min(top - height, bottom), Math.max(top - height, bottom), bottom, STEP_ACROSS),
  }
}

/** Steps from `usual` to both ends, which are included. */
function stepsBetween(low: number, high: number, usual: number, step: number): number[] {
  const size = Math.max(step, (high - low) / MAX_STEPS)
  const steps = [usual]
  for (let at = usual - size; at > low; at -= size) steps.push(at)
  for (let at = usual + size; at < high; at += size) steps.push(at)
  return [...new Set([...steps, low, high])].toSorted((one, other) => Math.abs(one - usual) - Math.abs(other - usual))
}

/** Anchors with one direction and one baseline, each line from its start. */
function linesOf(markers: readonly MarkerBox[]): MarkerBox[][] {
  const lines: MarkerBox[][] = []
  for (const marker of markers) {
    const line = lines.find(
      ([first]) => first !== undefined && first.angle === marker.angle && Math.abs(placeOn(first, marker).across) <= SAME_LINE,
    )
    if (line) line.push(marker)
    else lines.push([marker])
  }
  return lines.map((line) =>
    line.toSorted((one, other) => placeOn(line[0] ?? one, one).along - placeOn(line[0] ?? one, other).along),
  )
}

function placeOn(line: MarkerBox, { origin }: MarkerBox): { along: number; across: number } {
  const ahead = pointOf({ origin: { x: 0, y: 0 }, angle: line.angle }, 1, 0)
  const [dx, dy] = [origin.x - line.origin.x, origin.y - line.origin.y]
  return { along: dx * ahead.x + dy * ahead.y, across: dy * ahead.x - dx * ahead.y }
}
