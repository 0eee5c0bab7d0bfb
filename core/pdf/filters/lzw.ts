// LZWDecode (ISO 32000-2, 7.4.4): variable codes of 9 to 12 bits, most significant bit first.
import { malformed } from '../pdf-error.ts'
import { makeRoom, newOutput, type Output, written } from './output.ts'

const CLEAR = 256
const END_OF_DATA = 257
const FIRST_FREE = 258
const TABLE_SIZE = 4096

interface Table {
  /** Position and length of each code's sequence in the output: a sequence is always a copy of earlier output. */
  readonly starts: Int32Array
  readonly lengths: Int32Array
  next: number
  /** The code read before this one, or -1 after a clear. */
  previous: number
}

/** Decodes at most `allowance` bytes. `earlyChange` is the entry of the same name: 1 widens the codes one code early. */
export function decodeLzw(data: Buffer, earlyChange: number, allowance: number): Buffer {
  const output = newOutput(allowance)
  const table: Table = { starts: new Int32Array(TABLE_SIZE), lengths: new Int32Array(TABLE_SIZE), next: FIRST_FREE, previous: -1 }
  let width = 9
  let bits = 0
  let bitCount = 0
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xfffff
    bitCount += 8
    if (bitCount < width) continue
    bitCount -= width
    const code = (bits >> bitCount) & ((1 << width) - 1)
    if (code === END_OF_DATA) break
    if (code === CLEAR) {
      table.next = FIRST_FREE
      table.previous = -1
      width = 9
    } else {
      putSequence(output, table, code)
      width = widthFor(table.next + earlyChange)
    }
  }
  return written(output)
}

function putSequence(output: Output, table: Table, code: number): void {
  const at = output.length
  if (code < CLEAR) {
    makeRoom(output, 1)
    output.bytes[output.length++] = code
  } else {
    copySequence(output, table, code)
  }
  if (table.previous !== -1 && table.next < TABLE_SIZE) {
    // The new entry is the previous sequence plus the first byte of this one; they are adjacent in the output.
    const length = lengthOf(table, table.previous) + 1
    table.starts[table.next] = at - length + 1
    table.lengths[table.next] = length
    table.next++
  }
  table.previous = code
}

function copySequence(output: Output, table: Table, code: number): void {
  const pending = code === table.next && table.previous !== -1
  if (code >= table.next && !pending) throw malformed('its compressed data is damaged')
  // The one code that may be used before it is in the table: the previous sequence plus its first byte.
  const length = pending ? lengthOf(table, table.previous) + 1 : lengthOf(table, code)
  const start = pending ? output.length - length + 1 : (table.starts[code] ?? 0)
  makeRoom(output, length)
  for (let index = 0; index < length; index++) output.bytes[output.length++] = output.bytes[start + index] ?? 0
}

function lengthOf(table: Table, code: number): number {
  return code < CLEAR ? 1 : (table.lengths[code] ?? 0)
}

function widthFor(next: number): number {
  if (next < 512) return 9
  if (next < 1024) return 10
  return next < 2048 ? 11 : 12
}
