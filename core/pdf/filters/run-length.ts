// RunLengthDecode (ISO 32000-2, 7.4.5).
import { makeRoom, newOutput, written } from './output.ts'

const END_OF_DATA = 128

/** Decodes at most `allowance` bytes; truncated data yields what was decoded. */
export function decodeRunLength(data: Buffer, allowance: number): Buffer {
  const output = newOutput(allowance)
  let at = 0
  for (;;) {
    const length = data[at++]
    if (length === undefined || length === END_OF_DATA) return written(output)
    if (length < END_OF_DATA) {
      const literal = data.subarray(at, at + length + 1)
      makeRoom(output, literal.length)
      output.length += literal.copy(output.bytes, output.length)
      at += literal.length
    } else {
      const count = 257 - length
      makeRoom(output, count)
      output.bytes.fill(data[at++] ?? 0, output.length, output.length + count)
      output.length += count
    }
  }
}
