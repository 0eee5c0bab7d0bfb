// The gap of the byte range: the one place in the file that no digest covers, so only one way to write it is accepted.
import type { PdfValue } from '#core/pdf/read/value.ts'
import { readDerPrefix } from '../read-der.ts'
import { type ByteRange, VerifyError } from './verdict.ts'

/** Far more than a CMS with a long chain, and little enough to decode at once. */
const LARGEST_HOLE_BYTES = 256 * 1024
// Lower case only: the case of a digit is a bit that could be flipped without changing the signature.
const HEX_STRING = /^<(?:[0-9a-f]{2})+>$/

/**
 * The DER value that the gap starts with. Throws DerError when there is no complete one, and VerifyError unless `contents`, read from
 * this very file, fills the gap as one string of lower-case hex in which only zeros follow the value.
 */
export function readByteRangeGap(bytes: Buffer, [, start, end]: ByteRange, contents: PdfValue | undefined): Buffer {
  const isContents = contents !== undefined && positionIn(bytes, contents) === start
  if (!isContents || end - start > LARGEST_HOLE_BYTES) throw new VerifyError('HOLE_MISMATCH')
  const text = bytes.toString('latin1', start, end)
  if (!HEX_STRING.test(text)) throw new VerifyError('HOLE_MISMATCH')
  const gap = Buffer.from(text.slice(1, -1), 'hex')
  const { raw } = readDerPrefix(gap)
  if (gap.subarray(raw.length).some((byte) => byte !== 0)) throw new VerifyError('PADDING_NOT_ZERO')
  return raw
}

/**
 * Where in the file the value stands, or undefined when it comes out of an object stream: a source over a buffer answers views of it,
 * so what stands in the file shares its memory.
 */
function positionIn(bytes: Buffer, value: PdfValue): number | undefined {
  if (value.bytes.buffer !== bytes.buffer) return undefined
  return value.bytes.byteOffset + value.start - bytes.byteOffset
}
