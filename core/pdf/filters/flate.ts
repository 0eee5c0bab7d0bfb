// FlateDecode (ISO 32000-2, 7.4.4) by the native zlib.
import { inflateRawSync, inflateSync, constants } from 'node:zlib'
import { malformed, tooComplex } from '../pdf-error.ts'

const ZLIB_HEADER_BYTES = 2

/** Inflates to at most `allowance` bytes. Truncated data yields what was decoded, as in viewers. */
export function decodeFlate(data: Buffer, allowance: number): Buffer {
  const options = { maxOutputLength: Math.max(1, allowance), finishFlush: constants.Z_SYNC_FLUSH }
  if (data.length === 0) return data
  try {
    return inflateSync(data, options)
  } catch (error) {
    if (!isWrongChecksum(error)) throw faultOf(error)
  }
  // Viewers ignore the checksum, and files with a wrong one exist.
  try {
    return inflateRawSync(data.subarray(ZLIB_HEADER_BYTES), options)
  } catch (error) {
    throw faultOf(error)
  }
}

function isWrongChecksum(error: unknown): boolean {
  return error instanceof Error && error.message === 'incorrect data check'
}

function faultOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooComplex('its decompressed data is too large')
  return code.startsWith('Z_') ? malformed('its compressed data is damaged') : error
}
