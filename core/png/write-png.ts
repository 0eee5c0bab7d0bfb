// Writes the one kind of PNG that the service stores: RGBA, eight bits, no interlace, three chunks.
import { crc32, deflateSync } from 'node:zlib'
import type { RgbaImage } from './decode-png.ts'

/** Encodes the image; equal pixels give equal bytes. */
export function writePng({ width, height, pixels }: RgbaImage): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6], 8)
  const lines = Buffer.alloc(height * (width * 4 + 1))
  for (let row = 0; row < height; row++) pixels.copy(lines, row * (width * 4 + 1) + 1, row * width * 4, (row + 1) * width * 4)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
