// The parts of a document in a seal plan, as base64 because they are stored as JSON. Their total is limited: an uploader can make a page
// dictionary of any size.
import { tooComplex } from '../pdf-error.ts'

export type Base64 = string

/** An object that the increment rewrites; `body` is what goes between `obj` and `endobj`. */
export interface PlannedObject {
  readonly num: number
  readonly gen: number
  readonly body: Base64
}

export interface Packer {
  bytesLeft: number
}

const MAX_PLAN_BYTES = 4 * 1024 * 1024

export function newPacker(): Packer {
  return { bytesLeft: MAX_PLAN_BYTES }
}

/** Encodes a part. Throws DOCUMENT_TOO_COMPLEX when all parts together exceed 4 MiB. */
export function pack(packer: Packer, bytes: Buffer): Base64 {
  packer.bytesLeft -= bytes.length
  if (packer.bytesLeft < 0) throw tooComplex('its pages or forms contain too much data')
  return bytes.toString('base64')
}

export function unpack(piece: Base64): Buffer {
  return Buffer.from(piece, 'base64')
}
