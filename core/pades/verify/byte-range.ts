// The gap of the byte range: the only bytes that no digest covers, so only one way to write it is accepted.
import type { PdfValue } from '#core/pdf/read/value.ts'
import { readDerPrefix } from '../read-der.ts'
import { type ByteRange, VerifyError } from './verdict.ts'

/** Far larger than a CMS with a long chain, and small enough to decode at once. */
const MAX_GAP_BYTES = 256 * 1024
// Lower case only: the case of a digit could otherwise be changed without breaking the signature.
const HEX_STRING = /^<(?:[0-9a-f]{2})+>$/

/**
 * Returns the DER value at the start of the gap. Throws DerError for an incomplete value, and VerifyError unless `contents`, read from this
 * file, fills the gap as one string of lower-case hex with only zeros after the value.
 */
export function readByteRangeGap(bytes: Buffer, [, start, end]: ByteRange, contents: PdfValue | undefined): Buffer {
  const isContents = contents !== undefined && positionIn(bytes, contents) === start
  if (!isContents || end - start > MAX_GAP_BYTES) throw new VerifyError('GAP_MISMATCH')
  const text = bytes.toString('latin1', start, end)
  if (!HEX_STRING.test(text)) throw new VerifyError('GAP_MISMATCH')
  const gap = Buffer.from(text.slice(1, -1), 'hex')
  const { raw } = readDerPrefix(gap)
  if (gap.subarray(raw.length).some((byte) => byte !== 0)) throw new VerifyError('PADDING_NOT_ZERO')
  return raw
}

/** The offset of the value in the file; undefined when it is from an object stream. A buffer source returns views, so a value from the file shares its memory. */
function positionIn(bytes: Buffer, value: PdfValue): number | undefined {
  if (value.bytes.buffer !== bytes.buffer) return undefined
  return value.bytes.byteOffset + value.start - bytes.byteOffset
}
