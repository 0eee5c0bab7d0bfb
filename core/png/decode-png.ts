// Turns the chunks of a PNG into RGBA pixels: inflate, undo the row filters, merge interlaced passes. The header fixes the size of the
// inflated data, so the inflater gets exactly that much room.
import { unfilterRow } from './unfilter-row.ts'
import { inflateSync } from 'node:zlib'
import { PngError, type PngHeader, type PngParts } from './read-png.ts'

/** Eight bits per channel, four channels per pixel, rows from the top without padding. */
export interface RgbaImage {
  width: number
  height: number
  pixels: Buffer
}

interface Pass {
  x: number
  y: number
  dx: number
  dy: number
}

interface SizedPass {
  pass: Pass
  columns: number
  rows: number
  rowBytes: number
}

const WHOLE: readonly Pass[] = [{ x: 0, y: 0, dx: 1, dy: 1 }]
// Adam7, ISO/IEC 15948 8.2.
const ADAM7: readonly Pass[] = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
]
const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const

/** Decodes the whole image. The caller has limited width and height. Throws PngError when the data does not match the header exactly. */
export function decodePng(parts: PngParts): RgbaImage {
  const { width, height } = parts
  const bitsPerPixel = CHANNELS[parts.colourType] * parts.bitDepth
  const passes = sizePasses(parts, bitsPerPixel)
  const expected = passes.reduce((sum, { rows, rowBytes }) => sum + rows * (rowBytes + 1), 0)
  const data = inflateExactly(parts.compressed, expected)

  const pixels = Buffer.alloc(width * height * 4)
  const toRgba = CONVERTERS[parts.colourType](parts)
  const step = Math.ceil(bitsPerPixel / 8)
  const isRgba = parts.colourType === 6
  let at = 0
  for (const { pass, columns, rows, rowBytes } of passes) {
    let above: Buffer = Buffer.alloc(rowBytes)
    for (let row = 0; row < rows; row++) {
      const line = data.subarray(at + 1, at + 1 + rowBytes)
      if (!unfilterRow(data.readUInt8(at), line, above, step)) throw new PngError('The PNG image data uses an unknown filter.')
      const target = (pass.y + row * pass.dy) * width + pass.x
      // What a signature pad and `writePng` give is RGBA already.
      if (isRgba && pass.dx === 1) line.copy(pixels, target * 4)
      else for (let column = 0; column < columns; column++) toRgba(line, column, pixels, (target + column * pass.dx) * 4)
      above = line
      at += rowBytes + 1
    }
  }
  return { width, height, pixels }
}

function sizePasses({ width, height, interlaced }: PngParts, bitsPerPixel: number): SizedPass[] {
  return (interlaced ? ADAM7 : WHOLE)
    .map((pass) => {
      const columns = Math.ceil((width - pass.x) / pass.dx)
      return { pass, columns, rows: Math.ceil((height - pass.y) / pass.dy), rowBytes: Math.ceil((columns * bitsPerPixel) / 8) }
    })
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
}

function inflateExactly(compressed: Buffer, expected: number): Buffer {
  let data: Buffer
  try {
    data = inflateSync(compressed, { maxOutputLength: expected })
  } catch {
    throw new PngError('The PNG image data is damaged or larger than its header says.')
  }
  if (data.length !== expected) throw new PngError('The PNG image data is shorter than its header says.')
  return data
}

type PixelConverter = (line: Buffer, column: number, pixels: Buffer, at: number) => unknown

const CONVERTERS: Record<PngParts['colourType'], (parts: PngParts) => PixelConverter> = {
  0: greyConverter,
  2: truecolourConverter,
  3: indexedConverter,
  4: () => (line, column, pixels, at) => {
    pixels.fill(line.readUInt8(column * 2), at, at + 3)
    line.copy(pixels, at + 3, column * 2 + 1, column * 2 + 2)
  },
  6: () => (line, column, pixels, at) => line.copy(pixels, at, column * 4, column * 4 + 4),
}

function truecolourConverter({ transparency }: PngParts): PixelConverter {
  const clear = transparency.length === 6 ? Buffer.from(transparency.filter((_, index) => index % 2 === 1)) : undefined
  return (line, column, pixels, at) => {
    const colour = line.subarray(column * 3, column * 3 + 3)
    colour.copy(pixels, at)
    pixels[at + 3] = clear?.equals(colour) ? 0 : 255
  }
}

function greyConverter({ bitDepth, transparency }: PngParts): PixelConverter {
  const scale = 255 / (2 ** bitDepth - 1)
  const clear = transparency.length === 2 ? transparency.readUInt16BE(0) : undefined
  return (line, column, pixels, at) => {
    const sample = readSample(line, column, bitDepth)
    pixels.fill(sample * scale, at, at + 3)
    pixels[at + 3] = sample === clear ? 0 : 255
  }
}

function indexedConverter({ bitDepth, palette, transparency }: PngParts): PixelConverter {
  return (line, column, pixels, at) => {
    const entry = readSample(line, column, bitDepth)
    if (entry * 3 >= palette.length) throw new PngError('The PNG image data points past its palette.')
    palette.copy(pixels, at, entry * 3, entry * 3 + 3)
    pixels[at + 3] = transparency[entry] ?? 255
  }
}

// Samples below eight bits are packed from the high bits down (7.2).
function readSample(line: Buffer, column: number, bitDepth: PngHeader['bitDepth']): number {
  const bit = column * bitDepth
  return ((line[bit >> 3] ?? 0) >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1)
}
