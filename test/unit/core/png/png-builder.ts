// Builds PNG files of every colour type, depth, filter and interlace from samples, and malformed ones from chunks.
import { crc32, deflateSync } from 'node:zlib'

export interface PngShape {
  width: number
  height: number
  bitDepth: number
  colourType: number
  interlaced: boolean
  /** Samples of one pixel, one for each channel of the colour type. */
  sampleAt: (x: number, y: number) => number[]
  palette?: number[]
  transparency?: number[]
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

export function pngHeader(shape: Pick<PngShape, 'width' | 'height' | 'bitDepth' | 'colourType' | 'interlaced'>): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(shape.width, 0)
  data.writeUInt32BE(shape.height, 4)
  data.set([shape.bitDepth, shape.colourType, 0, 0, shape.interlaced ? 1 : 0], 8)
  return pngChunk('IHDR', data)
}

export function buildPng(shape: PngShape): Buffer {
  return Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(shape),
    ...(shape.palette ? [pngChunk('PLTE', Buffer.from(shape.palette))] : []),
    ...(shape.transparency ? [pngChunk('tRNS', Buffer.from(shape.transparency))] : []),
    pngChunk('IDAT', deflateSync(filteredLines(shape))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

function filteredLines(shape: PngShape): Buffer {
  const lines: Buffer[] = []
  for (const [x0, y0, dx, dy] of shape.interlaced ? ADAM7 : [[0, 0, 1, 1] as const]) {
    let above: Buffer | undefined
    for (let y = y0; y < shape.height && x0 < shape.width; y += dy) {
      const samples: number[] = []
      for (let x = x0; x < shape.width; x += dx) samples.push(...shape.sampleAt(x, y))
      const line = packSamples(samples, shape.bitDepth)
      lines.push(filterLine(lines.length % 5, line, above ?? Buffer.alloc(line.length), bytesPerPixel(shape)))
      above = line
    }
  }
  return Buffer.concat(lines)
}

function bytesPerPixel({ colourType, bitDepth }: PngShape): number {
  const channels = [1, 0, 3, 1, 2, 0, 4][colourType] ?? 0
  return Math.max(1, (channels * bitDepth) / 8)
}

function packSamples(samples: number[], bitDepth: number): Buffer {
  const bits = samples.map((sample) => sample.toString(2).padStart(bitDepth, '0')).join('')
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((octet) => parseInt(octet.padEnd(8, '0'), 2)))
}

function filterLine(type: number, line: Buffer, above: Buffer, step: number): Buffer {
  const filtered = line.map((value, i) => {
    const left = i < step ? 0 : line[i - step]!
    const up = above[i]!
    const upLeft = i < step ? 0 : above[i - step]!
    const estimate = left + up - upLeft
    const paeth = [left, up, upLeft].reduce((a, b) => (Math.abs(estimate - b) < Math.abs(estimate - a) ? b : a))
    return value - [0, left, up, Math.floor((left + up) / 2), paeth][type]!
  })
  return Buffer.from([type, ...filtered])
}
