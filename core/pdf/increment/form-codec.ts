// Encodes a FormBundle for the database: a magic number, the size, the numbers of objects and layouts, then each object's parts. Numbers are big-endian.
import type { BundleObject, FormBundle } from './form-bundle.ts'

const MAGIC = 'SWF2'
const HEAD_BYTES = 28
const RECORD_BYTES = 5
const TEXT = 0
const REFERENCE = 1
const DATA = 2
const END_OF_OBJECT = 3

/** Encodes the bundle; decodeForm restores an equal one. */
export function encodeForm(bundle: FormBundle): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(MAGIC, 'latin1')
  head.writeDoubleBE(bundle.width, 4)
  head.writeDoubleBE(bundle.height, 12)
  head.writeUInt32BE(bundle.objects.length, 20)
  head.writeUInt32BE(bundle.layouts, 24)
  const parts: Buffer[] = [head]
  for (const { body, data } of bundle.objects) {
    for (const piece of body) {
      if (typeof piece === 'number') parts.push(record(REFERENCE, piece))
      else parts.push(record(TEXT, piece.length), piece)
    }
    if (data !== null) parts.push(record(DATA, data.length), data)
    parts.push(record(END_OF_OBJECT, 0))
  }
  return Buffer.concat(parts)
}

/** Decodes what encodeForm wrote. Throws Error for anything else. */
export function decodeForm(bytes: Buffer): FormBundle {
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC || bytes.length < HEAD_BYTES)
    throw new Error('these bytes are no stored form')
  const objects: BundleObject[] = []
  for (let at = HEAD_BYTES; at < bytes.length;) {
    const { object, end } = decodeObject(bytes, at)
    objects.push(object)
    at = end
  }
  if (objects.length !== bytes.readUInt32BE(20)) throw new Error('a stored form is damaged')
  return { width: bytes.readDoubleBE(4), height: bytes.readDoubleBE(12), layouts: bytes.readUInt32BE(24), objects }
}

function decodeObject(bytes: Buffer, start: number): { object: BundleObject; end: number } {
  const body: (Buffer | number)[] = []
  let data: Buffer | null = null
  let at = start
  for (;;) {
    const kind = bytes.readUInt8(at)
    const value = bytes.readUInt32BE(at + 1)
    at += RECORD_BYTES
    if (kind === END_OF_OBJECT) return { object: { body, data }, end: at }
    if (kind === REFERENCE) {
      body.push(value)
      continue
    }
    const piece = bytes.subarray(at, at + value)
    if (piece.length < value || kind > DATA) throw new Error('a stored form is damaged')
    if (kind === TEXT) body.push(piece)
    else data = piece
    at += value
  }
}

function record(kind: number, value: number): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES)
  bytes.writeUInt8(kind)
  bytes.writeUInt32BE(value, 1)
  return bytes
}
