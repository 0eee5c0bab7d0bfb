// ASCIIHexDecode and ASCII85Decode (ISO 32000-2, 7.4.2 and 7.4.3).
import { malformed, type PdfError } from '../pdf-error.ts'
import { newOutput, type Output, putByte, written } from './output.ts'

/** White space (ISO 32000-2, table 1). */
const SPACES = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])
const GREATER = 0x3e
const TILDE = 0x7e
const ZERO_GROUP = 0x7a
const FIRST_DIGIT = 0x21
const LAST_DIGIT = 0x75

/** Decodes up to the `>`; a missing last digit counts as 0. */
export function decodeAsciiHex(data: Buffer): Buffer {
  const end = data.indexOf(GREATER)
  const digits = data.toString('latin1', 0, end < 0 ? data.length : end).replace(/[\0\t\n\f\r ]+/g, '')
  if (!/^[0-9a-fA-F]*$/.test(digits)) throw malformed('its hexadecimal data is damaged')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

/** Decodes at most `allowance` bytes, up to the `~>`. */
export function decodeAscii85(data: Buffer, allowance: number): Buffer {
  const output = newOutput(allowance)
  let group = 0
  let count = 0
  for (const byte of data) {
    if (byte === TILDE) break
    if (SPACES.has(byte)) continue
    if (byte === ZERO_GROUP && count === 0) {
      putGroup(output, 0, 4)
    } else {
      group = group * 85 + digitOf(byte)
      if (++count < 5) continue
      putGroup(output, group, 4)
      group = 0
      count = 0
    }
  }
  putLastGroup(output, group, count)
  return written(output)
}

function digitOf(byte: number): number {
  if (byte < FIRST_DIGIT || byte > LAST_DIGIT) throw damaged()
  return byte - FIRST_DIGIT
}

/** A last group of n digits encodes n - 1 bytes. */
function putLastGroup(output: Output, digits: number, count: number): void {
  if (count === 1) throw damaged()
  let group = digits
  for (let missing = count; missing < 5; missing++) group = group * 85 + 84
  if (count > 1) putGroup(output, group, count - 1)
}

function putGroup(output: Output, group: number, bytes: number): void {
  if (group > 0xffffffff) throw damaged()
  for (let index = 0; index < bytes; index++) putByte(output, Math.floor(group / 2 ** (24 - 8 * index)) & 0xff)
}

function damaged(): PdfError {
  return malformed('its base-85 data is damaged')
}
