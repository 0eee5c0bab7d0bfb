// Seals at the {{signerN}} texts of one page. A seal covers the origin of its own marker and hides nobody else's; where markers stand
// close, the seals of the page shrink a little together, else move around their origins and shrink until they fit.
import type { PageView, Point } from './page-view.ts'
import { boxAround, covers, hides, isInside, overlap, type SealBox, slideInside } from './seal-box.ts'
import { nearestFreeCell } from './seal-grid.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from './seal-size.ts'

export interface Anchor {
  /** Where the marker's text begins on its baseline, as seen. */
  readonly origin: Point
  /** Direction of the marker's text as seen, degrees counter-clockwise. */
  readonly angle: number
  /** Height of the marker's text in points. */
  readonly height: number
}

const SHRINK = 0.85
/** Of seals that stay where they cover their markers' text: in small steps, as far as what they show is still read with ease. */
const GENTLE_SHRINK = 0.95
/** Parts of the largest size. */
const SMALLEST_UNMOVED = 0.75
const SMALLEST = 0.05
const SMALLEST_SLANTED = 0.5
/** Of the page's area; what is left is where seals go that find no place at their marker. */
const LARGEST_SHARE = 0.25
/** Braces reach this part of the text height below the baseline, and the panel begins this far left of them, in points. */
const DESCENT = 0.3
const INDENT = 2
/** Where in the box the origin may lie when the usual place is taken: corners first, so that four seals can meet in one point. */
const OFFSETS = [0, 1, 0.5, 0.25, 0.75].flatMap((v) => [0, 1, 0.5, 0.25, 0.75].map((u) => [u, v] as const))

type Fits = (box: SealBox) => boolean
type Candidates = (anchor: Anchor, scale: number) => SealBox[]

/**
 * A box for each anchor, all of one size, inside the page, none overlapping another. `sharing` says how many seals the page takes in all.
 * A box covers its origin (or the point of the page next to it) unless more markers crowd one spot than boxes can meet there.
 */
export function placeAtMarkers(view: PageView, anchors: readonly Anchor[], sharing: number): SealBox[] {
  const largest = Math.min(1, Math.sqrt((view.width * view.height * LARGEST_SHARE) / (sharing * SEAL_WIDTH * SEAL_HEIGHT)))
  const onPage = anchors.map((anchor) => ({ ...anchor, origin: nearestPoint(view, anchor.origin) }))
  // A slanted box cannot reach into the edge of the page; rather than shrink much for it, all stand straight.
  const straight = onPage.map((anchor) => ({ ...anchor, angle: Math.round(anchor.angle / 90) * 90 }))
  return (
    shrinkUnmoved(view, onPage, largest) ??
    shrinkToFit(view, onPage, largest, largest * SMALLEST_SLANTED) ??
    shrinkToFit(view, straight, largest, largest * SMALLEST) ??
    placeRoughly(view, straight, largest)
  )
}

/** A seal that is moved to another corner of its marker leaves the marker's text to be seen: a slightly smaller one looks better. */
function shrinkUnmoved(view: PageView, anchors: readonly Anchor[], largest: number): SealBox[] | undefined {
  for (let scale = largest; scale >= largest * SMALLEST_UNMOVED; scale *= GENTLE_SHRINK) {
    const boxes = placeAll(view, anchors, scale, usualOnly(view))
    if (boxes) return boxes
  }
  return undefined
}

function shrinkToFit(view: PageView, anchors: readonly Anchor[], largest: number, smallest: number): SealBox[] | undefined {
  for (let scale = largest; scale >= smallest; scale *= SHRINK) {
    for (const candidates of [usualFirst(view), cornersOnly]) {
      const boxes = placeAll(view, anchors, scale, candidates)
      if (boxes) return boxes
    }
  }
  return undefined
}

function usualOnly(view: PageView): Candidates {
  return ({ origin, angle, height }, scale) => {
    const [u, v] = [INDENT / SEAL_WIDTH, (height * DESCENT) / (SEAL_HEIGHT * scale)]
    const usual = boxAround(origin, [u, Math.min(v, 1)], angle, scale)
    return [usual, slideInside(usual, view)]
  }
}

function usualFirst(view: PageView): Candidates {
  const usual = usualOnly(view)
  return (anchor, scale) => [...usual(anchor, scale), ...cornersOnly(anchor, scale)]
}

const cornersOnly: Candidates = ({ origin, angle }, scale) => OFFSETS.map((offset) => boxAround(origin, offset, angle, scale))

/** Gives up with the first that finds no place: crowds are told at once. */
function placeAll(view: PageView, anchors: readonly Anchor[], scale: number, candidates: Candidates): SealBox[] | undefined {
  const placed: SealBox[] = []
  for (const anchor of anchors) {
    const box = candidates(anchor, scale).find(fitsBeside(view, anchors, anchor, placed))
    if (!box) return undefined
    placed.push(box)
  }
  return placed
}

function fitsBeside(view: PageView, anchors: readonly Anchor[], own: Anchor, placed: readonly SealBox[]): Fits {
  return (box) =>
    covers(box, own.origin) &&
    isInside(box, view) &&
    !placed.some((other) => overlap(box, other)) &&
    !anchors.some((other) => other !== own && hides(box, other.origin))
}

// At the largest size at which every seal finds a place, at its marker or else in the nearest free cell.
function placeRoughly(view: PageView, anchors: readonly Anchor[], largest: number): SealBox[] {
  for (let scale = largest; ; scale *= SHRINK) {
    const placed: SealBox[] = []
    const boxes = anchors.map((anchor) => {
      const box = cornersOnly(anchor, scale).find(fitsBeside(view, anchors, anchor, placed))
      if (box) placed.push(box)
      return box
    })
    const complete = boxes.map((box, index) => {
      const found = box ?? nearestFreeCell(view, scale, placed, anchors[index]?.origin ?? { x: 0, y: 0 })
      if (!box && found) placed.push(found)
      return found
    })
    if (complete.every((box) => box !== undefined)) return complete
  }
}

function nearestPoint({ width, height }: PageView, { x, y }: Point): Point {
  return { x: Math.min(Math.max(x, 0), width), y: Math.min(Math.max(y, 0), height) }
}
