// Parts of documents that cost more than their size suggests.
import { deflateSync } from 'node:zlib'
import { type Body, buildPdf, onePage, type Page, stream } from '../hostile-pdfs.ts'

export interface Bomb {
  readonly name: string
  readonly build: () => Buffer
  /** The error code; undefined for a document that a careful reader handles. */
  readonly code?: 'DOCUMENT_TOO_COMPLEX' | 'DOCUMENT_INVALID' | 'DOCUMENT_ACTIVE_CONTENT'
}

export const MIB = 1024 * 1024
/** Above the limit of one stream, and just below it. */
export const OVER = 65 * MIB
export const BELOW = 60 * MIB
/** Long enough to show what takes more than linear time. */
export const LONG = 4 * MIB

const packed = new Map<string, Buffer>()

/** Deflated whole repetitions of a text up to this length; cached. */
export function repeated(text: string, length: number): Buffer {
  const key = `${length} ${text}`
  const known = packed.get(key) ?? deflateSync(Buffer.alloc(length - (length % text.length), text, 'latin1'), { level: 1 })
  packed.set(key, known)
  return known
}

export function flate(entries: string, text: string, length: number): Body {
  return stream(`${entries}/Filter/FlateDecode`, repeated(text, length))
}

export function content(text: string, length: number, page: Page = {}): () => Buffer {
  return () => onePage({ ...page, content: flate('', text, length) })
}

/** A document whose pages have these contents, each the number of an object in `objects` (from 4 on). */
export function pages(contents: readonly number[], objects: readonly Body[], resources = ''): Buffer {
  const first = 4 + objects.length
  return buildPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${contents.length}/Kids[${contents.map((_, page) => `${first + page} 0 R`).join(' ')}]/Resources<<${resources}>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...objects,
    ...contents.map((num) => `<</Type/Page/Parent 2 0 R/Contents ${num} 0 R>>`),
  ])
}

/** A page that shows text in a font with these entries; additional objects count from 7. */
export function withFont(entries: string, ...objects: Body[]): Buffer {
  const fonts = [`<</Type/Font/BaseFont/A${entries}>>`, ...objects]
  return onePage({ content: stream('', 'BT /F1 9 Tf (a) Tj ET'), resources: '/Font<</F1 6 0 R>>', objects: fonts })
}

/** A file that is only a cross-reference stream with these entries. */
export function xrefStream(entries: string, data: Buffer): Buffer {
  const head = '%PDF-1.7\n'
  const xref = `1 0 obj\n<</Type/XRef/Root 2 0 R${entries}/Filter/FlateDecode/Length ${data.length}>>stream\n`
  return Buffer.concat([Buffer.from(head + xref), data, Buffer.from(`\nendstream\nendobj\nstartxref\n${head.length}\n%%EOF\n`)])
}
