// Decodes the streams that the marker scan reads: page contents, forms, CMaps. A stream that can't be decoded only loses its markers:
// viewers show the rest of the document, and a seal does not depend on it. Exceeding the budget still refuses the document.
import { PdfError, tooComplex } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { countOf, NULL, type PdfStream, type PdfValue } from '../read/value.ts'

/** Limits the number of streams, because the budget counts bytes and empty streams have none. 5,000 pages of eight parts stay below it. */
const MAX_STREAMS = 50_000
/** A page's content is one logical stream, however many parts it has. */
const MAX_PARTS = 10_000

const LINE_END = Buffer.from('\n')

export interface ContentDecoder {
  /** The decoded bytes; undefined when the stream is damaged or ends in an image filter. Throws DOCUMENT_TOO_COMPLEX. */
  decode(stream: PdfStream): Buffer | undefined
}

export function newContentDecoder(file: PdfFile): ContentDecoder {
  let streamsLeft = MAX_STREAMS
  // Unfiltered data is not charged to the budget and may be as large as the file, over and over.
  let bytesLeft = file.budget.limits.decodedBytes
  return {
    decode(stream) {
      bytesLeft -= withFallback(() => countOf(file.resolve(stream.dict.entries.get('Length'))), undefined) ?? 0
      if (--streamsLeft < 0 || bytesLeft < 0) throw tooComplex('its pages contain too much data')
      return withFallback(() => file.decode(stream), undefined)
    },
  }
}

/** Returns the result of `read`, or `damaged` when it throws DOCUMENT_INVALID. */
export function withFallback<Result>(read: () => Result, damaged: Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError && error.code === 'DOCUMENT_INVALID') return damaged
    throw error
  }
}

export interface PageContent {
  readonly bytes: Buffer
  /** Where a line end stands that joins two parts. */
  readonly joints: readonly number[]
}

/**
 * The content of a page: its /Contents, one stream or an array of them, joined by line ends because tokens do not span two streams (ISO
 * 32000-2, 7.8.2). Throws DOCUMENT_TOO_COMPLEX when the total exceeds the limit for one stream.
 */
export function pageContent(file: PdfFile, decoder: ContentDecoder, contents: PdfValue | undefined): PageContent {
  const resolved = withFallback(() => file.resolve(contents), NULL)
  const items = resolved.kind === 'array' ? resolved.items : [resolved]
  if (items.length > MAX_PARTS) throw tooComplex('one of its pages has too many parts')
  const parts: Buffer[] = []
  const joints: number[] = []
  let length = 0
  for (const item of items) {
    const stream = withFallback(() => file.resolve(item), NULL)
    const part = stream.kind === 'stream' ? decoder.decode(stream) : undefined
    if (part === undefined) continue
    length += part.length
    if (length > file.budget.limits.streamBytes) throw tooComplex('the decompressed content of one of its pages is too large')
    joints.push(length + joints.length)
    parts.push(part, LINE_END)
  }
  return parts.length === 2 ? { bytes: parts[0] ?? LINE_END, joints: [] } : { bytes: Buffer.concat(parts), joints }
}
