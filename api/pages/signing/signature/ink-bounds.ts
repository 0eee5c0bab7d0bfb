// The bounding box of the ink in an image, and the size limit for its export. Pure.

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

// Below this alpha a pixel is only anti-aliasing.
const INK_ALPHA = 16

/** The smallest box around all ink of an RGBA image (four bytes per pixel, row by row); undefined if it is empty. */
export function findInkBounds(pixels: ArrayLike<number>, width: number, height: number): Bounds | undefined {
  let left = width
  let right = -1
  let top = height
  let bottom = -1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((pixels[(y * width + x) * 4 + 3] ?? 0) < INK_ALPHA) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  }
  return bottom < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

/** The box grown by a margin on each side, clipped to the image. */
export function growBounds(bounds: Bounds, margin: number, picture: { width: number; height: number }): Bounds {
  const x = Math.max(0, bounds.x - margin)
  const y = Math.max(0, bounds.y - margin)
  const right = Math.min(picture.width, bounds.x + bounds.width + margin)
  const bottom = Math.min(picture.height, bounds.y + bounds.height + margin)
  return { x, y, width: right - x, height: bottom - y }
}

/** The scale, at most 1, that makes an image fit into the given size. */
export function shrinkFactor(picture: { width: number; height: number }, limit: { width: number; height: number }): number {
  return Math.min(1, limit.width / picture.width, limit.height / picture.height)
}

/** The number of bytes that a padded base64 text encodes. */
export function base64Bytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return (base64.length / 4) * 3 - padding
}
