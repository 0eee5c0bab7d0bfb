// The pieces that a seal site keeps of a document, as base64 because they are stored as JSON. Their total is bounded: a
// page dictionary may be as large as an uploader likes.
import { tooComplex } from '../pdf-fault.ts'

export type Base64 = string

/** An object that the increment writes again; `body` stands between `obj` and `endobj`. */
export interface PlannedObject {
  readonly num: number
  readonly gen: number
  readonly body: Base64
}

export interface Packer {
  bytesLeft: number
}

const MAX_SITE_BYTES = 4 * 1024 * 1024

export function newPacker(): Packer {
  return { bytesLeft: MAX_SITE_BYTES }
}

/** Keeps a piece. Throws DOCUMENT_TOO_COMPLEX when all pieces together exceed 4 MiB. */
export function pack(packer: Packer, bytes: Buffer): Base64 {
  packer.bytesLeft -= bytes.length
  if (packer.bytesLeft < 0) throw tooComplex('its pages or forms contain too much data')
  return bytes.toString('base64')
}

export function unpack(piece: Base64): Buffer {
  return Buffer.from(piece, 'base64')
}
