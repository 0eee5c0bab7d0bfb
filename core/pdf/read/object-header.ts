// Finds the header of an object from its keyword backwards: `num gen obj`, with white space or comments between its words (ISO 32000-2, 7.2.4 and
// 7.3.10). Readers that rebuild a cross-reference table search all bytes for it, so it is found wherever it is.
import { isDigit, isSpace } from './lexer.ts'

export interface ObjectHeader {
  readonly num: number
  /** Position of the number in the bytes. */
  readonly start: number
}

/** What can be between two words: more than any writer leaves there. */
export const HEADER_BYTES = 4096
const [LINE_FEED, CARRIAGE_RETURN, PERCENT] = [10, 13, 0x25]

/** The header whose keyword `obj` is at `keyword`; undefined when it is none, such as the end of `endobj`. */
export function headerBefore(bytes: Buffer, keyword: number): ObjectHeader | undefined {
  const genEnd = gapStart(bytes, keyword)
  const genStart = digitsStart(bytes, genEnd)
  if (genStart === genEnd) return undefined
  const numEnd = gapStart(bytes, genStart)
  const start = digitsStart(bytes, numEnd)
  if (numEnd === genStart || start === numEnd) return undefined
  return { num: Number(bytes.toString('latin1', start, numEnd)), start }
}

/** Where the white space and comments begin that end at `end`. */
function gapStart(bytes: Buffer, end: number): number {
  const first = Math.max(0, end - HEADER_BYTES)
  let at = end
  for (;;) {
    while (at > first && isSpace(bytes[at - 1] ?? 0)) at--
    // A comment goes on to the end of its line.
    if (at === end || !isLineEnd(bytes[at])) return at
    const line = lineStart(bytes, at, first)
    const comment = bytes.subarray(line, at).indexOf(PERCENT)
    if (comment < 0) return at
    at = line + comment
  }
}

function lineStart(bytes: Buffer, at: number, first: number): number {
  while (at > first && !isLineEnd(bytes[at - 1])) at--
  return at
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN
}

function digitsStart(bytes: Buffer, end: number): number {
  let start = end
  while (start > 0 && isDigit(bytes[start - 1] ?? 0)) start--
  return start
}
