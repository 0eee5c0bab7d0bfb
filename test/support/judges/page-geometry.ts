// Maps page positions to pixels of a rendered page. Uses poppler instead of our own parser, so that the check is independent.
import { runProgram } from '../clients/run-program.ts'

export interface PageGeometry {
  /** CropBox in default user space: left, bottom, right, top. */
  cropBox: readonly [number, number, number, number]
  rotate: number
}

/** A part of one page as a closed polygon in default user space, in points. Pages count from 0. */
export interface PageArea {
  page: number
  corners: readonly (readonly [number, number])[]
  /** The part of it that had text which was meant to be replaced. */
  replaced?: readonly (readonly [number, number])[]
}

/** Pixels of a picture; right and bottom are exclusive. */
export interface PixelBox {
  left: number
  top: number
  right: number
  bottom: number
}

/** The geometry of every page, in order. */
export async function readPageGeometry(file: string): Promise<PageGeometry[]> {
  const { stdout } = await runProgram('pdfinfo', ['-box', '-f', '1', '-l', '-1', file])
  const text = stdout.toString('utf8')
  const boxes = [...text.matchAll(/^Page +\d+ CropBox: +(\S+) +(\S+) +(\S+) +(\S+)$/gm)]
  const rotations = [...text.matchAll(/^Page +\d+ rot: +(\d+)$/gm)].map((match) => Number(match[1]))
  return boxes.map((match, page) => {
    const [left = 0, bottom = 0, right = 0, top = 0] = match.slice(1).map(Number)
    return { cropBox: [left, bottom, right, top], rotate: rotations[page] ?? 0 }
  })
}

/**
 * The smallest pixel box around the area, with one pixel for anti-aliasing. The scale follows from the picture's size, so /UserUnit does
 * not matter.
 */
export function toPixelBox(area: PageArea, { cropBox, rotate }: PageGeometry, width: number, height: number): PixelBox {
  const [left, bottom, right, top] = cropBox
  const points = area.corners.map(([x, y]) => turn((x - left) / (right - left), (y - bottom) / (top - bottom), rotate))
  const columns = points.map(([across]) => across * width)
  const rows = points.map(([, down]) => down * height)
  return {
    left: Math.max(0, Math.floor(Math.min(...columns)) - 1),
    top: Math.max(0, Math.floor(Math.min(...rows)) - 1),
    right: Math.min(width, Math.ceil(Math.max(...columns)) + 1),
    bottom: Math.min(height, Math.ceil(Math.max(...rows)) + 1),
  }
}

// From fractions of the unrotated page (right, up) to fractions of the picture (right, down). /Rotate is clockwise (ISO 32000-1, table 30).
function turn(right: number, up: number, rotate: number): readonly [number, number] {
  switch (rotate) {
    case 90:
      return [up, right]
    case 180:
      return [1 - right, up]
    case 270:
      return [1 - up, 1 - right]
    default:
      return [right, 1 - up]
  }
}
