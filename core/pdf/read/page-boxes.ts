// Where a page shows its content: boxes, rotation and unit (ISO 32000-2, 7.7.3.3 and 14.11.2), with what viewers take when an
// entry is missing or makes no sense.
import type { PdfPage } from './page-tree.ts'
import type { PdfFile } from './pdf-file.ts'
import type { PdfValue } from './value.ts'

/** Left, bottom, right, top. */
export type Box = readonly [number, number, number, number]

export interface PageBoxes {
  readonly mediaBox: Box
  /** What viewers show: the crop box as far as it lies inside of the media box. */
  readonly cropBox: Box
  /** Clockwise, when the page is shown. */
  readonly rotate: 0 | 90 | 180 | 270
  /** Points to a unit of user space. */
  readonly userUnit: number
}

const LETTER: Box = [0, 0, 612, 792]
/** Far beyond what any viewer shows: Acrobat takes sides of 3 to 14,400 units and units up to 75,000 points. Nobody could see a seal there. */
const [LEAST_SIDE, LARGEST_SIDE] = [0.1, 10_000_000]
const [LEAST_UNIT, LARGEST_UNIT] = [0.001, 75_000]

/** The boxes of a page in default user space. */
export function readPageBoxes(file: Pick<PdfFile, 'resolve'>, page: PdfPage): PageBoxes {
  const mediaBox = boxOf(file, page.attributes.get('MediaBox')) ?? LETTER
  const cropBox = intersection(mediaBox, boxOf(file, page.attributes.get('CropBox')) ?? mediaBox)
  const unit = file.resolve(page.dict.entries.get('UserUnit'))
  const userUnit = unit.kind === 'number' && unit.value >= LEAST_UNIT && unit.value <= LARGEST_UNIT ? unit.value : 1
  return { mediaBox, cropBox, rotate: rotationOf(file.resolve(page.attributes.get('Rotate'))), userUnit }
}

function boxOf(file: Pick<PdfFile, 'resolve'>, value: PdfValue | undefined): Box | undefined {
  const array = file.resolve(value)
  if (array.kind !== 'array' || array.items.length !== 4) return undefined
  const numbers = array.items.map((item) => {
    const number = file.resolve(item)
    return number.kind === 'number' ? number.value : Number.NaN
  })
  const [x0 = Number.NaN, y0 = Number.NaN, x1 = Number.NaN, y1 = Number.NaN] = numbers
  const box: Box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)]
  return hasSize(box) && box.every((edge) => Math.abs(edge) <= LARGEST_SIDE) ? box : undefined
}

function intersection(outer: Box, inner: Box): Box {
  const box: Box = [
    Math.max(outer[0], inner[0]),
    Math.max(outer[1], inner[1]),
    Math.min(outer[2], inner[2]),
    Math.min(outer[3], inner[3]),
  ]
  return hasSize(box) ? box : outer
}

function hasSize([left, bottom, right, top]: Box): boolean {
  return [right - left, top - bottom].every((side) => side >= LEAST_SIDE && side <= LARGEST_SIDE)
}

function rotationOf(value: PdfValue): PageBoxes['rotate'] {
  const degrees = value.kind === 'number' ? ((value.value % 360) + 360) % 360 : 0
  return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0
}
