// Places seals at the {{signerN}} texts of one page where they find no room without covering others, so ink does not matter. A seal covers the origin of its own marker and no other; where markers are close, the
// seals of the page first shrink a little together, then move around their origins and shrink until they fit.
import type { PageView, Point } from './page-view.ts'
import type { MarkerBox } from './marker-text.ts'
import { boxAround, covers, hides, isInside, overlap, SEAL_HEIGHT, SEAL_WIDTH, type SealBox, slideInside } from './seal-box.ts'
import { nearestFreeCell } from './seal-grid.ts'

const SHRINK = 0.85
/** Step by which seals shrink while they stay on their markers' text and remain easy to read. */
const GENTLE_SHRINK = 0.95
/** Fraction of the largest size. */
const MIN_UNMOVED_SCALE = 0.75
const MIN_SCALE = 0.05
const MIN_SLANTED_SCALE = 0.5
/** Share of the page's area; the rest is for seals that find no room at their marker. */
const MAX_SHARE = 0.25
/** Braces reach this fraction of the text height below the baseline, and the panel starts this many points left of them. */
const DESCENT = 0.3
const INDENT = 2
/** Where in the box the origin may be when the usual position is taken: corners first, so that four seals can meet in one point. */
const OFFSETS = [0, 1, 0.5, 0.25, 0.75].flatMap((v) => [0, 1, 0.5, 0.25, 0.75].map((u) => [u, v] as const))

type Fits = (box: SealBox) => boolean
type Candidates = (marker: MarkerBox, scale: number) => SealBox[]

/**
 * Places a box for each marker, all of one size, inside the page, without overlap. `sharing` is the number of seals on the page. A box
 * covers its origin (or the nearest point of the page) unless more markers share one spot than boxes can meet there.
 */
export function placeOverContent(view: PageView, markers: readonly MarkerBox[], sharing: number): SealBox[] {
  const largest = Math.min(1, Math.sqrt((view.width * view.height * MAX_SHARE) / (sharing * SEAL_WIDTH * SEAL_HEIGHT)))
  const onPage = markers.map((marker) => ({ ...marker, origin: nearestPoint(view, marker.origin) }))
  // A slanted box cannot reach into the edge of the page; if it had to shrink much, all boxes are straightened.
  const straight = onPage.map((marker) => ({ ...marker, angle: Math.round(marker.angle / 90) * 90 }))
  return (
    shrinkUnmoved(view, onPage, largest) ??
    shrinkToFit(view, onPage, largest, largest * MIN_SLANTED_SCALE) ??
    shrinkToFit(view, straight, largest, largest * MIN_SCALE) ??
    placeRoughly(view, straight, largest)
  )
}

/** A seal at another corner of its marker leaves the marker's text visible; a slightly smaller seal looks better. */
function shrinkUnmoved(view: PageView, markers: readonly MarkerBox[], largest: number): SealBox[] | undefined {
  for (let scale = largest; scale >= largest * MIN_UNMOVED_SCALE; scale *= GENTLE_SHRINK) {
    const boxes = placeAll(view, markers, scale, usualOnly(view))
    if (boxes) return boxes
  }
  return undefined
}

function shrinkToFit(view: PageView, markers: readonly MarkerBox[], largest: number, smallest: number): SealBox[] | undefined {
  for (let scale = largest; scale >= smallest; scale *= SHRINK) {
    for (const candidates of [usualFirst(view), cornersOnly]) {
      const boxes = placeAll(view, markers, scale, candidates)
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
  return (marker, scale) => [...usual(marker, scale), ...cornersOnly(marker, scale)]
}

const cornersOnly: Candidates = ({ origin, angle }, scale) => OFFSETS.map((offset) => boxAround(origin, offset, angle, scale))

/** Stops at the first marker without room, so crowded pages fail fast. */
function placeAll(view: PageView, markers: readonly MarkerBox[], scale: number, candidates: Candidates): SealBox[] | undefined {
  const placed: SealBox[] = []
  for (const marker of markers) {
    const box = candidates(marker, scale).find(fitsBeside(view, markers, marker, placed))
    if (!box) return undefined
    placed.push(box)
  }
  return placed
}

function fitsBeside(view: PageView, markers: readonly MarkerBox[], own: MarkerBox, placed: readonly SealBox[]): Fits {
  return (box) =>
    covers(box, own.origin) &&
    isInside(box, view) &&
    !placed.some((other) => overlap(box, other)) &&
    !markers.some((other) => other !== own && hides(box, other.origin))
}

// At the largest size at which every seal fits, at its marker or else in the nearest free cell.
function placeRoughly(view: PageView, markers: readonly MarkerBox[], largest: number): SealBox[] {
  for (let scale = largest; ; scale *= SHRINK) {
    const placed: SealBox[] = []
    const boxes = markers.map((marker) => {
      const box = cornersOnly(marker, scale).find(fitsBeside(view, markers, marker, placed))
      if (box) placed.push(box)
      return box
    })
    const complete = boxes.map((box, index) => {
      const found = box ?? nearestFreeCell(view, scale, placed, markers[index]?.origin ?? { x: 0, y: 0 })
      if (!box && found) placed.push(found)
      return found
    })
    if (complete.every((box) => box !== undefined)) return complete
  }
}

function nearestPoint({ width, height }: PageView, { x, y }: Point): Point {
  return { x: Math.min(Math.max(x, 0), width), y: Math.min(Math.max(y, 0), height) }
}
