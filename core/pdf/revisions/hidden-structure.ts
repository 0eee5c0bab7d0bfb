// Finds what looks like an object, a trailer or the end of a file where none is: in the data of a stream, in a string, in a comment. A reader
// that rebuilds the cross-reference table searches all bytes and takes it for one.
import type { ByteSource } from '../read/byte-source.ts'
import { isDigit, isSpace } from '../read/lexer.ts'
import { HEADER_BYTES, headerBefore } from '../read/object-header.ts'

const WORDS = [
  { word: 'obj', what: 'an object', isStructure: (bytes: Buffer, at: number) => headerBefore(bytes, at) !== undefined },
  { word: 'trailer', what: 'a trailer', isStructure: beginsTrailer },
  { word: 'startxref', what: 'an end of the file', isStructure: beginsEnd },
] as const

const CHUNK_BYTES = 1024 * 1024
const [PERCENT, LESS] = [0x25, 0x3c]

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

function beginsTrailer(bytes: Buffer, at: number, length: number): boolean {
  const next = spaceAfter(bytes, at + length)
  return bytes[next] === PERCENT || (bytes[next] === LESS && bytes[next + 1] === LESS)
}

function beginsEnd(bytes: Buffer, at: number, length: number): boolean {
  const next = spaceAfter(bytes, at + length)
  return bytes[next] === PERCENT || isDigit(bytes[next] ?? 0)
}

function spaceAfter(bytes: Buffer, at: number): number {
  while (isSpace(bytes[at] ?? 0) && at < bytes.length) at++
  return at
}
