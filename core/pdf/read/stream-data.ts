// The data of a stream as stored in the file, before any filter (ISO 32000-2, 7.3.8).
import type { ByteSource } from './byte-source.ts'
import type { Resolve } from './decode-stream.ts'
import { malformed } from '../pdf-error.ts'
import { countOf, type PdfStream } from './value.ts'

/** More white space than one end of line is wrong but common, and viewers agree on it. */
const MAX_SPACE_BYTES = 16
const KEYWORD = 'endstream'

/** Reads the data. A length that does not lead to `endstream` is refused: viewers differ in where such data ends. */
export function readStreamData(source: ByteSource, stream: PdfStream, resolve: Resolve): Buffer {
  const length = countOf(resolve(stream.dict.entries.get('Length')))
  const end = stream.dataStart + (length ?? Infinity)
  if (length === undefined || end > source.length) throw malformed('a stream in it has no proper length')
  const tail = source.read(end, end + MAX_SPACE_BYTES + KEYWORD.length).toString('latin1')
  if (!/^[\0\t\n\f\r ]*endstream/.test(tail)) throw malformed('a stream in it has a wrong length')
  return source.read(stream.dataStart, end)
}
