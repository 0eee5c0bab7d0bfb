// Splits a content stream (or a CMap, which has the same tokens) into operators and operands. ISO 32000-2, 7.2 and 7.8.2. Never throws and
// never backtracks: reading is linear for any bytes.
import { endOfInlineImage } from '../plan/inline-image.ts'
import { clearOperands, newOperands, OPERAND, type Operands, pushOperand } from './operands.ts'

const EXPONENT = 0x65
const CONSTANTS = new Set(['true', 'false', 'null'])

const REGULAR = 0
const SPACE = 1
const NUMERIC = 2
const DELIMITER = 3

const CLASSES = new Uint8Array(256)
for (const byte of [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]) CLASSES[byte] = SPACE
for (const byte of Buffer.from('0123456789+-.')) CLASSES[byte] = NUMERIC
for (const byte of Buffer.from('()<>[]{}/%')) CLASSES[byte] = DELIMITER

export interface ContentReader {
  bytes: Buffer
  position: number
  readonly operands: Operands
  /** Start of the operator returned last; it ends at `position`. */
  operatorStart: number
}

/** Creates an empty reader for `readContent`. It holds half a megabyte of operand positions, so one is reused. */
export function newContentReader(): ContentReader {
  return { bytes: Buffer.alloc(0), position: 0, operands: newOperands(), operatorStart: 0 }
}

export function readContent(reader: ContentReader, bytes: Buffer, position: number): void {
  reader.bytes = bytes
  reader.operands.bytes = bytes
  clearOperands(reader.operands)
  reader.operands.depth = 0
  reader.operands.unclosed = false
  reader.position = position
}

/** The code that `nextOperator` returns for an operator: its first three bytes, low byte first. */
export function operatorCode(name: string): number {
  return (name.charCodeAt(0) || 0) | ((name.charCodeAt(1) || 0) << 8) | ((name.charCodeAt(2) || 0) << 16)
}

/** Reads up to and including the next operator and leaves its operands in `reader.operands`; returns 0 at the end. */
export function nextOperator(reader: ContentReader): number {
  const { bytes, operands } = reader
  clearOperands(operands)
  let at = reader.position
  for (;;) {
    const byte = bytes[at]
    if (byte === undefined) break
    const kind = CLASSES[byte]
    if (kind === SPACE) at++
    else if (kind === NUMERIC) {
      const end = endOfNumber(bytes, at + 1)
      pushOperand(operands, OPERAND.NUMBER, at, end)
      at = end
    } else if (kind === DELIMITER) at = readDelimited(operands, bytes, at, byte)
    else {
      const end = endOfRegular(bytes, at + 1)
      if (isConstant(bytes, at, end)) {
        pushOperand(operands, OPERAND.WORD, at, end)
        at = end
        continue
      }
      reader.operatorStart = at
      reader.position = end
      return packed(bytes, at, end)
    }
  }
  reader.position = bytes.length
  return 0
}

/** Whether the word is an operand: true, false or null. */
function isConstant(bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== 4 && end - start !== 5) return false
  return CONSTANTS.has(bytes.toString('latin1', start, end))
}

function packed(bytes: Buffer, start: number, end: number): number {
  const second = end > start + 1 ? (bytes[start + 1] ?? 0) : 0
  const third = end > start + 2 ? (bytes[start + 2] ?? 0) : 0
  return (bytes[start] ?? 0) | (second << 8) | (third << 16)
}

/** With an exponent, which PDF does not have and some viewers read. */
function endOfNumber(bytes: Buffer, from: number): number {
  let at = from
  while (CLASSES[bytes[at] ?? 0x20] === NUMERIC) at++
  if (((bytes[at] ?? 0) | 0x20) !== EXPONENT) return at

  const end = endOfRegular(bytes, at + 1)
  for (let index = at + 1; index < end; index++) if (CLASSES[bytes[index] ?? 0] !== NUMERIC) return at
  return end - at > 1 ? end : at
}

function endOfRegular(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const kind = CLASSES[bytes[at] ?? 0x20]
    if (kind !== REGULAR && kind !== NUMERIC) return at
    at++
  }
}

function readDelimited(operands: Operands, bytes: Buffer, at: number, byte: number): number {
  switch (byte) {
    case 0x28: // (
      return readLiteral(operands, bytes, at + 1)
    case 0x2f: {
      // /
      const end = endOfRegular(bytes, at + 1)
      pushOperand(operands, OPERAND.NAME, at + 1, end)
      return end
    }
    case 0x3c: // <
      return bytes[at + 1] === 0x3c ? readBracket(operands, at, byte) + 1 : readHex(operands, bytes, at + 1)
    case 0x3e: // >
      return bytes[at + 1] === 0x3e ? readBracket(operands, at, byte) + 1 : at + 1
    case 0x25: // %
      return endOfLine(bytes, at + 1)
    default:
      return readBracket(operands, at, byte)
  }
}

/** A bracket, one half of a double one, or a closing parenthesis. */
function readBracket(operands: Operands, at: number, byte: number): number {
  if (byte === 0x5b || byte === 0x3c) operands.depth++
  else if (byte === 0x5d || byte === 0x3e) operands.depth = Math.max(0, operands.depth - 1)
  if (byte === 0x5b) pushOperand(operands, OPERAND.OPEN, at, at + 1)
  else if (byte === 0x5d) pushOperand(operands, OPERAND.CLOSE, at, at + 1)
  else if (byte === 0x29) operands.stray = true
  if (byte === 0x3c && operands.dictionary < 0) operands.dictionary = at
  return at + 1
}

/** Parentheses in a literal string are balanced or escaped; an unclosed string takes the rest of the stream. */
function readLiteral(operands: Operands, bytes: Buffer, start: number): number {
  let depth = 1
  let kind: number = OPERAND.LITERAL
  let at = start
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x5c || byte === 0x0d) {
      kind = OPERAND.ESCAPED
      if (byte === 0x5c) at++
    } else if (byte === 0x28) depth++
    else if (byte === 0x29 && --depth === 0) break
  }
  if (at >= bytes.length) operands.unclosed = true
  const end = Math.min(at, bytes.length)
  pushOperand(operands, kind, start, end)
  return end + 1
}

function readHex(operands: Operands, bytes: Buffer, start: number): number {
  const close = bytes.indexOf(0x3e, start)
  if (close < 0) operands.unclosed = true
  const end = close < 0 ? bytes.length : close
  pushOperand(operands, OPERAND.HEX, start, end)
  return end + 1
}

function endOfLine(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++
  return at
}

/** Continues after the inline image whose data comes next. */
export function skipInlineImage(reader: ContentReader): void {
  const end = endOfInlineImage(reader.bytes, reader.position)
  if (end < 0) reader.operands.unclosed = true
  reader.position = end < 0 ? reader.bytes.length : end
}
