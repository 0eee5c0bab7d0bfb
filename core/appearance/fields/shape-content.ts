// The content of a note that is a shape, from its own entries (ISO 32000-2, 12.5.6.7 to 12.5.6.11 and 12.5.6.23).
import { PDFArray, PDFBool, type PDFDict, PDFName } from 'pdf-lib'
import type { MissingAppearance } from '#core/pdf/inspect/faces/appearance-check.ts'
import { contradictory } from '#core/pdf/pdf-error.ts'
import { dictIn, FILL, numberIn, numbersIn, paint, STROKE, written } from './appearance-style.ts'

/** The distance of the control points of a quarter of a circle, of its radius. */
const ROUND = 0.5523
const MAX_NUMBERS = 2_000
const [CLOSED, OPEN] = ['h', '']

interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/** Throws DOCUMENT_INVALID for a line with arrow heads or a caption, which viewers draw each in their own way. */
export function shapeContent(annotation: PDFDict, missing: MissingAppearance): string {
  if (hasEnds(annotation)) throw contradictory(`${missing.reason}, on page ${missing.page.index + 1}, but ends or a caption`)
  const rect = rectOf(annotation)
  const width = numberIn(dictIn(annotation, 'BS'), 'W', numbersIn(annotation, 'Border')[2] ?? 1)
  const colour = annotation.has(PDFName.of('C')) ? numbersIn(annotation, 'C') : [0]
  const ground = subtypeOf(annotation) === 'Redact' ? [] : numbersIn(annotation, 'IC')
  const [path, end] = pathOf(annotation, insetBox(rect, numbersIn(annotation, 'RD'), width / 2))
  const filled = end === CLOSED ? paint(ground, FILL, `${path} f`) : ''
  const stroked = width > 0 ? paint(colour, STROKE, `${written(width)} w ${path} ${end} S`) : ''
  return `q 1 0 0 1 ${written(-rect.left, -rect.bottom)} cm\n${filled}${stroked}Q\n`
}

function rectOf(annotation: PDFDict): Box {
  const [x = 0, y = 0, otherX = 0, otherY = 0] = numbersIn(annotation, 'Rect')
  return { left: Math.min(x, otherX), bottom: Math.min(y, otherY), right: Math.max(x, otherX), top: Math.max(y, otherY) }
}

/** How much it hides, from 0 to 1. */
export function opacityOf(annotation: PDFDict): number {
  return Math.min(1, Math.max(0, numberIn(annotation, 'CA', 1)))
}

function subtypeOf(annotation: PDFDict): string {
  const subtype = annotation.lookup(PDFName.of('Subtype'))
  return subtype instanceof PDFName ? subtype.decodeText() : ''
}

function hasEnds(annotation: PDFDict): boolean {
  const ends = annotation.lookup(PDFName.of('LE'))
  const drawn = ends instanceof PDFArray ? ends.asArray().some((end) => end !== PDFName.of('None')) : false
  return drawn || annotation.lookup(PDFName.of('Cap')) === PDFBool.True
}

/** The operators of the path, and whether it closes. */
function pathOf(annotation: PDFDict, box: Box): [string, string] {
  const { left, bottom, right, top } = box
  switch (subtypeOf(annotation)) {
    case 'Line':
      return [polygon(numbersIn(annotation, 'L')), OPEN]
    case 'PolyLine':
      return [polygon(numbersIn(annotation, 'Vertices', MAX_NUMBERS)), OPEN]
    case 'Polygon':
      return [polygon(numbersIn(annotation, 'Vertices', MAX_NUMBERS)), CLOSED]
    case 'Caret':
      return [polygon([left, bottom, (left + right) / 2, top, right, bottom]), OPEN]
    case 'Circle':
      return [ellipse(box), CLOSED]
    default:
      return [`${written(left, bottom, right - left, top - bottom)} re`, CLOSED]
  }
}

function insetBox({ left, bottom, right, top }: Box, differences: readonly number[], by: number): Box {
  const [west = 0, south = 0, east = 0, north = 0] = differences
  return { left: left + west + by, bottom: bottom + south + by, right: right - east - by, top: top - north - by }
}

function polygon(numbers: readonly number[]): string {
  const points = Array.from({ length: numbers.length >> 1 }, (_, index) => numbers.slice(2 * index, 2 * index + 2))
  return points.map((point, index) => `${written(...point)} ${index === 0 ? 'm' : 'l'}`).join(' ')
}

function ellipse({ left, bottom, right, top }: Box): string {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2]
  const [dx, dy] = [((right - left) / 2) * ROUND, ((top - bottom) / 2) * ROUND]
  return [
    `${written(left, y)} m`,
    `${written(left, y + dy, x - dx, top, x, top)} c`,
    `${written(x + dx, top, right, y + dy, right, y)} c`,
    `${written(right, y - dy, x + dx, bottom, x, bottom)} c`,
    `${written(x - dx, bottom, left, y - dy, left, y)} c`,
  ].join(' ')
}
