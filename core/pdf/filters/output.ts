// A buffer that grows while a filter writes to it, up to the filter's allowance.
import { tooComplex } from '../pdf-error.ts'

export interface Output {
  bytes: Buffer
  length: number
  readonly allowance: number
}

const FIRST_BYTES = 4096

export function newOutput(allowance: number): Output {
  return { bytes: Buffer.allocUnsafe(FIRST_BYTES), length: 0, allowance }
}

/** Makes room for `count` more bytes; throws DOCUMENT_TOO_COMPLEX beyond the allowance. */
export function makeRoom(output: Output, count: number): void {
  const needed = output.length + count
  if (needed > output.allowance) throw tooComplex('its decompressed data is too large')
  if (needed <= output.bytes.length) return
  const larger = Buffer.allocUnsafe(Math.max(needed, output.bytes.length * 2))
  output.bytes.copy(larger, 0, 0, output.length)
  output.bytes = larger
}

export function putByte(output: Output, byte: number): void {
  if (output.length >= output.bytes.length || output.length >= output.allowance) makeRoom(output, 1)
  output.bytes[output.length++] = byte
}

export function written(output: Output): Buffer {
  return output.bytes.subarray(0, output.length)
}
