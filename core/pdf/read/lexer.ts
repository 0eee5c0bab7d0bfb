// Character classes and token ends of PDF syntax (ISO 32000-2, 7.2). Objects are parsed from windows of the file; a token that reaches the
// end of a window requires a larger window.
import { malformed } from '../pdf-error.ts'

export interface Cursor {
  readonly bytes: Buffer
  /** Nothing follows `bytes`. When false, reading past the end throws WINDOW_END. */
  readonly whole: boolean
  at: number
  /** How many more values may be created, and how deeply they may nest. */
  valuesLeft: number
  readonly nesting: number
}

/** Thrown when a window is too small; the caller reads a larger one. Created once: its stack is not needed. */
export const WINDOW_END = new Error('the window ends inside a token')

/** Marks the position after the last byte. */
export const END = -1

const SPACE = 1
const DELIMITER = 2
const CLASSES = new Uint8Array(256)
for (const space of [0, 9, 10, 12, 13, 32]) CLASSES[space] = SPACE
for (const delimiter of Buffer.from('()<>[]{}/%')) CLASSES[delimiter] = DELIMITER

/** White space: NUL, tab, line feed, form feed, carriage return, blank. */
export function isSpace(byte: number): boolean {
  return CLASSES[byte] === SPACE
}

/** Neither white space nor a delimiter; false at the end. */
export function isRegular(byte: number): boolean {
  return CLASSES[byte] === 0
}

export function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57
}

/** The byte at a position of the window, or END. */
export function byteAt(cursor: Cursor, at: number): number {
  const byte = cursor.bytes[at]
  if (byte !== undefined) return byte
  if (!cursor.whole) throw WINDOW_END
  return END
}

/** The first position from `at` that is neither white space nor in a comment. */
export function skipSpace(cursor: Cursor, at: number): number {
  for (;;) {
    const byte = byteAt(cursor, at)
    if (byte === PERCENT) at = lineEnd(cursor, at)
    else if (!isSpace(byte)) return at
    else at++
  }
}

/** The end of the run of regular characters from `at`. */
export function runEnd(cursor: Cursor, at: number): number {
  while (isRegular(byteAt(cursor, at))) at++
  return at
}

/** The end of the literal string that opens at `at`; parentheses inside it balance or are escaped. */
export function literalEnd(cursor: Cursor, at: number): number {
  let depth = 0
  for (;;) {
    switch (byteAt(cursor, at++)) {
      case BACKSLASH:
        at++
        break
      case OPEN:
        depth++
        break
      case CLOSE:
        if (--depth === 0) return at
        break
      case END:
        throw malformed('a text string in it has no end')
      default:
    }
  }
}

/** The end of the hexadecimal string that opens at `at`. */
export function hexEnd(cursor: Cursor, at: number): number {
  const end = cursor.bytes.indexOf(GREATER, at)
  if (end >= 0) return end + 1
  if (!cursor.whole) throw WINDOW_END
  throw malformed('a hexadecimal string in it has no end')
}

/** Whether `word` is at `at`, whatever follows it. */
export function startsWith(cursor: Cursor, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    if (byteAt(cursor, at + index) !== word.charCodeAt(index)) return false
  }
  return true
}

const PERCENT = 0x25
const OPEN = 0x28
const CLOSE = 0x29
const GREATER = 0x3e
const BACKSLASH = 0x5c

function lineEnd(cursor: Cursor, at: number): number {
  for (;;) {
    const byte = byteAt(cursor, at)
    if (byte === 10 || byte === 13 || byte === END) return at
    at++
  }
}
