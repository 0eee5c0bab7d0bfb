// Reads signature, chunks, checksums and header of a PNG (ISO/IEC 15948). Nothing is inflated here, so limits apply before a decompression bomb can expand.
import { crc32 } from 'node:zlib'

export interface PngHeader {
  width: number
  height: number
  bitDepth: number
  colourType: ColourType
  interlaced: boolean
}

/** The parts of a PNG that define its pixels; other chunks are checked and dropped. */
export interface PngParts extends PngHeader {
  /** RGB triples; empty unless the colour type is indexed. */
  palette: Buffer
  /** Contents of the tRNS chunk; empty without one. */
  transparency: Buffer
  /** The zlib stream of all IDAT chunks. */
  compressed: Buffer
}

/** Table 11.1: greyscale, truecolour, indexed, greyscale with alpha, truecolour with alpha. */
export type ColourType = 0 | 2 | 3 | 4 | 6

/** Thrown by everything that reads PNG; the message is a sentence for the sender of the image. */
export class PngError extends Error {
  override readonly name = 'PngError'
}

interface Chunk {
  type: string
  data: Buffer
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const ALLOWED_DEPTHS: Record<ColourType, readonly number[]> = { 0: [1, 2, 4, 8], 2: [8], 3: [1, 2, 4, 8], 4: [8], 6: [8] }
// 11.2.2: indexed images need a palette, truecolour may suggest one, greyscale must not have one.
const PALETTE_ENTRIES: Record<ColourType, readonly [number, number]> = {
  0: [0, 0],
  2: [0, 256],
  3: [1, 256],
  4: [0, 0],
  6: [0, 256],
}
// 11.3.1.1: one 16-bit sample per channel; images with alpha must not have the chunk.
const TRANSPARENCY_BYTES = { 0: 2, 2: 6, 4: undefined, 6: undefined } as const
const CRITICAL = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND'])

/** Reads only the header, the first 33 bytes. */
export function readPngHeader(bytes: Buffer): PngHeader {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw new PngError('The image is not a PNG file.')
  const { type, data } = readChunk(bytes, 8)
  if (type !== 'IHDR' || data.length !== 13) throw new PngError('The PNG file does not begin with its header.')
  const bitDepth = data.readUInt8(8)
  const colourType = data.readUInt8(9)
  const interlace = data.readUInt8(12)
  if (!isColourType(colourType) || data.readUInt16BE(10) !== 0 || interlace > 1) {
    throw new PngError('The PNG header holds values that the standard does not know.')
  }
  if (bitDepth > 8) throw new PngError('The image has more than 8 bits a channel.')
  if (!ALLOWED_DEPTHS[colourType].includes(bitDepth)) throw new PngError('The PNG bit depth does not fit its colour type.')
  return { width: data.readUInt32BE(0), height: data.readUInt32BE(4), bitDepth, colourType, interlaced: interlace === 1 }
}

/** Reads every chunk, checks order and checksums to the last byte, and collects the chunks that define the pixels. */
export function readPngParts(bytes: Buffer): PngParts {
  const header = readPngHeader(bytes)
  const chunks = listChunks(bytes)
  for (const { type } of chunks) refuseChunkType(type)
  if (count(chunks, 'IHDR') > 1 || count(chunks, 'PLTE') > 1 || count(chunks, 'tRNS') > 1)
    throw new PngError('The PNG file repeats a chunk.')
  const firstData = chunks.findIndex(({ type }) => type === 'IDAT')
  if (firstData < 0) throw new PngError('The PNG file has no image data.')
  const before = chunks.slice(0, firstData)
  const data = chunks.slice(firstData, firstData + count(chunks, 'IDAT'))
  if (data.some(({ type }) => type !== 'IDAT')) throw new PngError('The PNG image data is interrupted by other chunks.')
  const palette = find(before, 'PLTE')
  const transparency = find(before, 'tRNS')
  if (count(before, 'PLTE') + count(before, 'tRNS') < count(chunks, 'PLTE') + count(chunks, 'tRNS')) {
    throw new PngError('The PNG palette comes after the image data.')
  }
  refuseBadPalette(header, palette, transparency)
  return { ...header, palette, transparency, compressed: Buffer.concat(data.map((chunk) => chunk.data)) }
}

function listChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 8; ;) {
    const chunk = readChunk(bytes, at)
    chunks.push(chunk)
    at += 12 + chunk.data.length
    if (chunk.type !== 'IEND') continue
    if (chunk.data.length > 0 || at !== bytes.length) throw new PngError('Data follows the end of the PNG image.')
    return chunks
  }
}

function readChunk(bytes: Buffer, at: number): Chunk {
  if (at + 12 > bytes.length) throw new PngError('The PNG file is cut off.')
  const end = at + 8 + bytes.readUInt32BE(at)
  if (end + 4 > bytes.length) throw new PngError('The PNG file is cut off.')
  if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
    throw new PngError('The PNG file is damaged: a checksum is wrong.')
  return { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) }
}

function refuseChunkType(type: string): void {
  if (!/^[A-Za-z]{4}$/.test(type)) throw new PngError('The PNG file holds a chunk with an impossible name.')
  if (['acTL', 'fcTL', 'fdAT'].includes(type)) throw new PngError('The image is animated.')
  // An upper-case first letter means that a decoder must understand the chunk (5.4).
  if (/^[A-Z]/.test(type) && !CRITICAL.has(type))
    throw new PngError('The PNG file needs a chunk that the standard does not know.')
}

function refuseBadPalette({ colourType, bitDepth }: PngHeader, palette: Buffer, transparency: Buffer): void {
  const entries = palette.length / 3
  const [fewest, most] = PALETTE_ENTRIES[colourType]
  if (!Number.isInteger(entries) || entries < fewest || entries > Math.min(most, colourType === 3 ? 2 ** bitDepth : most)) {
    throw new PngError('The PNG palette does not fit the colour type.')
  }
  const size = transparency.length
  const fits = colourType === 3 ? size <= entries : size === 0 || size === TRANSPARENCY_BYTES[colourType]
  if (!fits) throw new PngError('The PNG transparency does not fit the colour type.')
}

function isColourType(value: number): value is ColourType {
  return value in ALLOWED_DEPTHS
}

function count(chunks: readonly Chunk[], type: string): number {
  return chunks.filter((chunk) => chunk.type === type).length
}

function find(chunks: readonly Chunk[], type: string): Buffer {
  return chunks.find((chunk) => chunk.type === type)?.data ?? Buffer.alloc(0)
}
