// Boxes, rotation and unit of a page (ISO 32000-2, 7.7.3.3 and 14.11.2), with the defaults of viewers for missing or invalid entries.
import type { PdfPage } from './page-tree.ts'
import type { PdfFile } from './pdf-file.ts'
import type { PdfValue } from './value.ts'

/** Left, bottom, right, top. */
export type Box = readonly [number, number, number, number]

export interface PageBoxes {
  readonly mediaBox: Box
  /** The visible area: the crop box, clipped to the media box. */
  readonly cropBox: Box
  /** Clockwise rotation for display. */
  readonly rotate: 0 | 90 | 180 | 270
  /** Points per unit of user space. */
  readonly userUnit: number
}

const LETTER: Box = [0, 0, 612, 792]
/** Far beyond the limits of viewers: Acrobat allows sides of 3 to 14,400 units and units up to 75,000 points. */
const [MIN_SIDE, MAX_SIDE] = [0.1, 10_000_000]
const [MIN_UNIT, MAX_UNIT] = [0.001, 75_000]

/** Reads the boxes of a page in default user space. */
export function readPageBoxes(file: Pick<PdfFile, 'resolve'>, page: PdfPage): PageBoxes {
  const mediaBox = boxOf(file, page.attributes.get('MediaBox')) ?? LETTER
  const cropBox = intersection(mediaBox, boxOf(file, page.attributes.get('CropBox')) ?? mediaBox)
  const unit = file.resolve(page.dict.entries.get('UserUnit'))
  const userUnit = unit.kind === 'number' && unit.value >= MIN_UNIT && unit.value <= MAX_UNIT ? unit.value : 1
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
  return hasSize(box) && box.every((edge) => Math.abs(edge) <= MAX_SIDE) ? box : undefined
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
  return [right - left, top - bottom].every((side) => side >= MIN_SIDE && side <= MAX_SIDE)
}

function rotationOf(value: PdfValue): PageBoxes['rotate'] {
  const degrees = value.kind === 'number' ? ((value.value % 360) + 360) % 360 : 0
  return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0
}
