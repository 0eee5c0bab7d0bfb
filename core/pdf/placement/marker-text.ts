// The marker on a page view, with the area of its text.
import { type PageView, type Point, toView } from './page-view.ts'
import { direction, hides, SEAL_HEIGHT, SEAL_WIDTH, type SealBox, toBoxSpace } from './seal-box.ts'

/** The position of one {{signerN}} text, in the page's default user space. */
export interface Marker {
  /** The N of {{signerN}}. */
  signOrder: number
  /** Counted from 0. */
  page: number
  /** Origin of the marker's first character on the baseline: points, before /Rotate and /UserUnit. */
  x: number
  y: number
  /** Direction in which the text runs: degrees counter-clockwise from the x axis, above -180 and up to 180. */
  angle: number
  /** Height of the text in points. */
  height: number
  /** Length of the text, in user space; absent where it could not be read. */
  width?: number
}

/** The text of a marker on a page view. */
export interface MarkerBox {
  /** Start of the marker's text on its baseline, in the view. */
  readonly origin: Point
  /** Direction of the marker's text in the view, degrees counter-clockwise. */
  readonly angle: number
  /** Height and length of the marker's text in points. */
  readonly height: number
  readonly width: number
}

/** Text within this many degrees of straight counts as straight. */
const STRAIGHT = 0.5
/** Braces reach these fractions of the text height below and above the baseline. */
const [DESCENT, ASCENT] = [0.3, 0.9]
/** Fraction of the text's height. */
const TIP = 0.1
/** Length of a marker whose length is unknown, as a multiple of its height. */
const USUAL_LENGTH = 5.5
const SAMPLES_ALONG = 6
/** Areas that share less than this, in points, touch. */
const TOLERANCE = 1e-6

export function markerBoxOf(view: PageView, marker: Marker): MarkerBox {
  const [a, b] = view.toUserSpace
  const turned = marker.angle - (Math.atan2(b, a) * 180) / Math.PI
  const straight = Math.round(turned / 90) * 90
  const unit = Math.hypot(a, b)
  const height = marker.height / unit
  return {
    origin: toView(view, marker),
    angle: Math.abs(turned - straight) < STRAIGHT ? straight : turned,
    height,
    width: marker.width === undefined ? height * USUAL_LENGTH : marker.width / unit,
  }
}

/** Left, bottom, right, top of the text, relative to its origin and direction. */
export function textArea({ height, width }: MarkerBox): [number, number, number, number] {
  return [0, -DESCENT * height, width, ASCENT * height]
}

/** Whether the box covers a part of the text. */
export function coversText(box: SealBox, marker: MarkerBox): boolean {
  const reach = (SEAL_WIDTH + SEAL_HEIGHT) * box.scale + marker.width + marker.height
  if (Math.hypot(marker.origin.x - box.corner.x, marker.origin.y - box.corner.y) > reach) return false
  const area = textInBox(box, marker)
  if (area === undefined) return false
  return (box.angle - marker.angle) % 90 === 0 || samplesOf(marker).some((point) => hides(box, point))
}

/** The part of the text that is inside the box, with the tips of its braces, which a substitute font may draw a little wider. */
export function bracesInBox(box: SealBox, marker: MarkerBox): [number, number, number, number] | undefined {
  const tip = TIP * marker.height
  const { x, y } = pointOf(marker, -tip, -tip)
  return textInBox(box, { ...marker, origin: { x, y }, width: marker.width + 3 * tip, height: marker.height + 2 * tip })
}

/** The part of the text that is inside the box, in the space of the form: left, bottom, right, top; undefined without one. */
function textInBox(box: SealBox, marker: MarkerBox): [number, number, number, number] | undefined {
  const [start, bottom, end, height] = textArea(marker)
  const points = [start, end].flatMap((along) =>
    [bottom, height].map((across) => toBoxSpace(box, pointOf(marker, along, across))),
  )
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const area: [number, number, number, number] = [
    Math.max(0, Math.min(...xs)),
    Math.max(0, Math.min(...ys)),
    Math.min(SEAL_WIDTH, Math.max(...xs)),
    Math.min(SEAL_HEIGHT, Math.max(...ys)),
  ]
  return area[2] - area[0] > TOLERANCE && area[3] - area[1] > TOLERANCE ? area : undefined
}

/** Points all over the text, so close that no seal fits between them. */
function samplesOf(marker: MarkerBox): Point[] {
  const [start, bottom, end, top] = textArea(marker)
  return Array.from({ length: SAMPLES_ALONG + 1 }, (_, index) => start + ((end - start) * index) / SAMPLES_ALONG).flatMap(
    (along) => [bottom, (bottom + top) / 2, top].map((across) => pointOf(marker, along, across)),
  )
}

/** A point at these distances from the origin, along the text and across it. */
export function pointOf({ origin, angle }: Pick<MarkerBox, 'origin' | 'angle'>, along: number, across: number): Point {
  const { x, y } = direction(angle)
  return { x: origin.x + x * along - y * across, y: origin.y + y * along + x * across }
}
