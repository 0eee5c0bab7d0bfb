// Draws a handwriting-like signature: a looping line on a transparent PNG.
import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 360
const HEIGHT = 120
const PEN_RADIUS = 2.2

/** A grey-and-alpha PNG as base64; each `seed` gives a different line. */
export function drawnSignature(seed: number): string {
  const alpha = new Uint8Array(WIDTH * HEIGHT)
  for (let step = 0; step <= 3_000; step++) {
    const t = step / 3_000
    const x = 20 + t * (WIDTH - 40) + 18 * Math.sin(t * (23 + seed * 5))
    const y = HEIGHT / 2 + 36 * Math.sin(t * (31 + seed * 7) + seed) * (1 - 0.6 * t)
    dot(alpha, x, y)
  }
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 2))
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) rows[y * (1 + WIDTH * 2) + 2 + x * 2] = alpha[y * WIDTH + x] ?? 0
  }
  const header = Buffer.from([0, 0, WIDTH >> 8, WIDTH & 255, 0, 0, HEIGHT >> 8, HEIGHT & 255, 8, 4, 0, 0, 0])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
}

function dot(alpha: Uint8Array, centreX: number, centreY: number): void {
  const reach = Math.ceil(PEN_RADIUS)
  for (let y = Math.floor(centreY) - reach; y <= centreY + reach; y++) {
    for (let x = Math.floor(centreX) - reach; x <= centreX + reach; x++) {
      const ink = Math.max(0, Math.min(1, PEN_RADIUS + 0.5 - Math.hypot(x - centreX, y - centreY)))
      if (x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT)
        alpha[y * WIDTH + x] = Math.max(alpha[y * WIDTH + x] ?? 0, Math.round(ink * 255))
    }
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
