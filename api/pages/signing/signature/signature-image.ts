// Turns a signature into the PNG to send: cropped to the ink, transparent, 8 bits per channel, within the API's limits of
// 2,000 x 1,000 pixels and 512 KiB.
import { base64Bytes, type Bounds, findInkBounds, growBounds, shrinkFactor } from './ink-bounds.ts'

export const INK_COLOUR = '#14264d'
export const HANDWRITING = "'Caveat', 'Segoe Script', 'Bradley Hand', cursive"

const LARGEST = { width: 1200, height: 500 }
const MAX_IMAGE_BYTES = 512 * 1024
const MARGIN_PX = 8
const TYPED_FONT_PX = 160

/** Base64 of the ink on a canvas, without a data: prefix; undefined if nothing was drawn. */
export function exportInk(canvas: HTMLCanvasElement): string | undefined {
  const context = canvas.getContext('2d')
  if (!context || canvas.width === 0 || canvas.height === 0) return undefined
  const ink = findInkBounds(context.getImageData(0, 0, canvas.width, canvas.height).data, canvas.width, canvas.height)
  if (!ink) return undefined
  const bounds = growBounds(ink, MARGIN_PX, canvas)
  let factor = shrinkFactor(bounds, LARGEST)
  let image = cutOut(canvas, bounds, factor)
  // NOTE: only a completely filled field comes near the limit.
  while (base64Bytes(image) > MAX_IMAGE_BYTES) {
    factor /= 2
    image = cutOut(canvas, bounds, factor)
  }
  return image
}

/** Base64 of a name in handwriting; waits for the font. Undefined if the name has no visible glyphs. */
export async function exportTypedName(name: string): Promise<string | undefined> {
  const font = `500 ${TYPED_FONT_PX}px ${HANDWRITING}`
  // If the font cannot be loaded, the system's handwriting font is used, which is a signature as well.
  await document.fonts.load(font, name).catch(() => [])
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) return undefined
  context.font = font
  // Swashes exceed the measured width and line height; cropping removes the surplus.
  const room = TYPED_FONT_PX
  canvas.width = Math.min(8000, Math.ceil(context.measureText(name).width) + 2 * room)
  canvas.height = 3 * TYPED_FONT_PX
  context.font = font
  context.fillStyle = INK_COLOUR
  context.fillText(name, room, 2 * TYPED_FONT_PX)
  return exportInk(canvas)
}

function cutOut(canvas: HTMLCanvasElement, bounds: Bounds, factor: number): string {
  const target = document.createElement('canvas')
  target.width = Math.max(1, Math.round(bounds.width * factor))
  target.height = Math.max(1, Math.round(bounds.height * factor))
  const context = target.getContext('2d')
  if (context) context.imageSmoothingQuality = 'high'
  context?.drawImage(canvas, bounds.x, bounds.y, bounds.width, bounds.height, 0, 0, target.width, target.height)
  return target.toDataURL('image/png').slice('data:image/png;base64,'.length)
}
