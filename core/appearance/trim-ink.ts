// Prepares the drawn signature for the seal: flattens it on white, trims the margin, reduces it to print resolution. White instead of
// transparency keeps PDF/A-1 documents conformant (ISO 19005-1 6.4).
import type { RgbaImage } from '#core/png/decode-png.ts'

export interface InkImage {
  width: number
  height: number
  /** Three bytes per pixel. */
  rgb: Buffer
}

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Smaller differences from white are paper, e.g. the noise of a scanned signature. */
const PAPER_TOLERANCE = 12
const WHITE = 255
const PAPER = WHITE - PAPER_TOLERANCE

/** The inked part of the image, scaled down to fit `maxWidth` x `maxHeight` pixels; undefined without ink. */
export function trimInk({ width, height, pixels }: RgbaImage, maxWidth: number, maxHeight: number): InkImage | undefined {
  const rgb = layOnWhite(pixels)
  const box = findInk(rgb, width, height)
  return box && scaleDown(rgb, width, box, Math.max(1, box.width / maxWidth, box.height / maxHeight))
}

/** Whether the image shows anything on white paper: `trimInk` finds ink in it. */
export function hasInk({ pixels }: RgbaImage): boolean {
  for (let at = 0; at < pixels.length; at += 4) {
    const darkest = Math.min(pixels[at] ?? 255, pixels[at + 1] ?? 255, pixels[at + 2] ?? 255)
    if ((255 - darkest) * (pixels[at + 3] ?? 0) > (PAPER_TOLERANCE - 1) * 255) return true
  }
  return false
}

function layOnWhite(pixels: Buffer): Buffer {
  const rgb = Buffer.alloc((pixels.length / 4) * 3, WHITE)
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    // Most of a drawing is transparent.
    if (pixels[from + 3] === 0) continue
    const alpha = (pixels[from + 3] ?? 0) / WHITE
    rgb[to] = WHITE - (WHITE - (pixels[from] ?? 0)) * alpha
    rgb[to + 1] = WHITE - (WHITE - (pixels[from + 1] ?? 0)) * alpha
    rgb[to + 2] = WHITE - (WHITE - (pixels[from + 2] ?? 0)) * alpha
  }
  return rgb
}

function findInk(rgb: Buffer, width: number, height: number): Box | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      if ((rgb[at] ?? 0) > PAPER && (rgb[at + 1] ?? 0) > PAPER && (rgb[at + 2] ?? 0) > PAPER) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

// Every target pixel is the mean of its source pixels, so thin strokes fade instead of breaking.
function scaleDown(rgb: Buffer, sourceWidth: number, box: Box, factor: number): InkImage {
  const width = Math.max(1, Math.round(box.width / factor))
  const height = Math.max(1, Math.round(box.height / factor))
  const scaled = Buffer.alloc(width * height * 3)
  const columns = Array.from({ length: width }, (_, x) => span(x, width, box.width))
  let to = 0
  for (let y = 0; y < height; y++) {
    const [top, bottom] = span(y, height, box.height)
    for (const [left, right] of columns) {
      let [red, green, blue] = [0, 0, 0]
      for (let row = top; row < bottom; row++) {
        const start = ((box.top + row) * sourceWidth + box.left) * 3
        for (let at = start + left * 3; at < start + right * 3; at += 3) {
          red += rgb[at] ?? 0
          green += rgb[at + 1] ?? 0
          blue += rgb[at + 2] ?? 0
        }
      }
      const count = (bottom - top) * (right - left)
      scaled[to++] = Math.round(red / count)
      scaled[to++] = Math.round(green / count)
      scaled[to++] = Math.round(blue / count)
    }
  }
  return { width, height, rgb: scaled }
}

function span(index: number, count: number, length: number): [number, number] {
  const start = Math.floor((index * length) / count)
  return [start, Math.max(start + 1, Math.floor(((index + 1) * length) / count))]
}
