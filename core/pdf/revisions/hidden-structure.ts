// Finds what looks like an object, a trailer or the end of a file where none is: in the data of a stream, in a string, in a comment. A reader
// that rebuilds the cross-reference table searches all bytes and takes it for one.
import type { ByteSource } from '../read/byte-source.ts'
import { isDigit, isSpace } from '../read/lexer.ts'

const WORDS = [
  { word: 'obj', what: 'an object', isStructure: endsObjectHeader },
  { word: 'trailer', what: 'a trailer', isStructure: beginsTrailer },
  { word: 'startxref', what: 'an end of the file', isStructure: beginsEnd },
] as const

/** What can be between the words of an object header: more than any writer leaves there. */
const HEADER_BYTES = 256
const CHUNK_BYTES = 1024 * 1024
const [LINE_FEED, CARRIAGE_RETURN, PERCENT, LESS] = [10, 13, 0x25, 0x3c]

/** What is hidden in the bytes from `start` on, as words ("an object"); undefined for nothing. `explained` has the positions of the genuine ones. */
export function hiddenStructure(source: ByteSource, start: number, explained: ReadonlySet<number>): string | undefined {
  for (let from = start; from < source.length; from += CHUNK_BYTES) {
    const first = Math.max(0, from - HEADER_BYTES)
    const bytes = source.read(first, from + CHUNK_BYTES + HEADER_BYTES)
    for (const { word, what, isStructure } of WORDS) {
      for (let at = bytes.indexOf(word, from - first); at >= 0; at = bytes.indexOf(word, at + 1)) {
        if (at + first >= from + CHUNK_BYTES) break
        if (!explained.has(at + first) && isStructure(bytes, at, word.length)) return what
      }
    }
  }
  return undefined
}

/** Whether two numbers are before the keyword, apart from white space and comments: compressed data hardly ever has that by chance. */
function endsObjectHeader(bytes: Buffer, at: number): boolean {
  const genEnd = gapStart(bytes, at)
  const genStart = digitsBefore(bytes, genEnd)
  const numEnd = gapStart(bytes, genStart)
  return genStart < genEnd && numEnd < genStart && isDigit(bytes[numEnd - 1] ?? 0)
}

/** Where the white space and comments begin that end at `end`. */
function gapStart(bytes: Buffer, end: number): number {
  const first = Math.max(0, end - HEADER_BYTES)
  let at = end
  for (;;) {
    while (at > first && isSpace(bytes[at - 1] ?? 0)) at--
    const line = lineStart(bytes, at, first)
    const comment = bytes.subarray(line, at).indexOf(PERCENT)
    if (comment < 0 || at === end) return at
    at = line + comment
  }
}

function lineStart(bytes: Buffer, at: number, first: number): number {
  while (at > first && bytes[at - 1] !== LINE_FEED && bytes[at - 1] !== CARRIAGE_RETURN) at--
  return at
}

function beginsTrailer(bytes: Buffer, at: number, length: number): boolean {
  const next = spaceAfter(bytes, at + length)
  return bytes[next] === PERCENT || (bytes[next] === LESS && bytes[next + 1] === LESS)
}

function beginsEnd(bytes: Buffer, at: number, length: number): boolean {
  const next = spaceAfter(bytes, at + length)
  return bytes[next] === PERCENT || isDigit(bytes[next] ?? 0)
}

function digitsBefore(bytes: Buffer, at: number): number {
  while (at > 0 && isDigit(bytes[at - 1] ?? 0)) at--
  return at
}

function spaceAfter(bytes: Buffer, at: number): number {
  while (isSpace(bytes[at] ?? 0) && at < bytes.length) at++
  return at
}
