// The operands before a content-stream operator, stored as positions and decoded on demand: most operators of a page (paths, colours) are
// irrelevant, and nothing is allocated for them.
import { escapedBytes, hexBytes, nameText, numberValue } from './token-value.ts'

/** WORD is true, false or null. */
export const OPERAND = { NUMBER: 1, NAME: 2, LITERAL: 3, ESCAPED: 4, HEX: 5, OPEN: 6, CLOSE: 7, WORD: 8 } as const

/** Real TJ arrays and CMap sections hold some thousands; more are dropped, so a hostile stream can't grow the list. */
export const MAX_OPERANDS = 65_536

export interface Operands {
  bytes: Buffer
  count: number
  /** An OPERAND for each operand; [ and ] count as operands, << and >> do not. */
  readonly kinds: Uint8Array
  /** The token without its delimiters: a string without brackets, a name without its slash. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** Arrays and dictionaries that are open, also from before the operands. */
  depth: number
  /** Start of the first dictionary among the operands, -1 without one; its entries are operands too. */
  dictionary: number
  /** A closing parenthesis without an opening one is among the operands. */
  stray: boolean
  /** The content ends inside a string or an inline image. */
  unclosed: boolean
}

export function newOperands(): Operands {
  const ends = new Uint32Array(MAX_OPERANDS)
  return {
    bytes: Buffer.alloc(0),
    count: 0,
    kinds: new Uint8Array(MAX_OPERANDS),
    starts: new Uint32Array(MAX_OPERANDS),
    ends,
    depth: 0,
    dictionary: -1,
    stray: false,
    unclosed: false,
  }
}

/** Forgets the operands, not what is open. */
export function clearOperands(operands: Operands): void {
  operands.count = 0
  operands.dictionary = -1
  operands.stray = false
}

export function pushOperand(operands: Operands, kind: number, start: number, end: number): void {
  const { count } = operands
  if (count === MAX_OPERANDS) return
  operands.kinds[count] = kind
  operands.starts[count] = start
  operands.ends[count] = end
  operands.count = count + 1
}

export function isString(operands: Operands, index: number): boolean {
  const kind = operands.kinds[index]
  return kind === OPERAND.LITERAL || kind === OPERAND.ESCAPED || kind === OPERAND.HEX
}

/** The bytes of a string operand (ISO 32000-2, 7.3.4); a view of the content when it has no escapes. */
export function stringAt(operands: Operands, index: number): Buffer {
  const { bytes, kinds } = operands
  const start = operands.starts[index] ?? 0
  const end = operands.ends[index] ?? 0
  if (kinds[index] === OPERAND.HEX) return hexBytes(bytes, start, end)
  return kinds[index] === OPERAND.ESCAPED ? escapedBytes(bytes, start, end) : bytes.subarray(start, end)
}

/** The operand as a number; 0 for anything else, as in viewers. */
export function numberAt(operands: Operands, index: number): number {
  if (operands.kinds[index] !== OPERAND.NUMBER) return 0
  return numberValue(operands.bytes, operands.starts[index] ?? 0, operands.ends[index] ?? 0)
}

/** The last operand as a number; with `back` 1 the one before it, and so on. */
export function numberFromEnd(operands: Operands, back: number): number {
  return numberAt(operands, operands.count - 1 - back)
}

/** The last name among the operands, or undefined. */
export function lastName(operands: Operands): string | undefined {
  for (let index = operands.count - 1; index >= 0; index--) {
    if (operands.kinds[index] === OPERAND.NAME) {
      return nameText(operands.bytes, operands.starts[index] ?? 0, operands.ends[index] ?? 0)
    }
  }
  return undefined
}
