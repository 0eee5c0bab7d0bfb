// Writes small PDFs with full control of every object, for what normal writers never produce.
import { deflateSync } from 'node:zlib'

/** An object: its syntax, or the entries of a stream's dictionary (without /Length) and its data. */
export type Body = string | { readonly entries: string; readonly data: Buffer }

/** A stream, unchanged. */
export function stream(entries: string, data: Buffer | string): Body {
  return { entries, data: Buffer.from(data) }
}

/** A deflated stream. */
export function deflated(entries: string, data: Buffer | string): Body {
  return { entries: `${entries}/Filter/FlateDecode`, data: deflateSync(data) }
}

function written(body: Body): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'latin1')
  const head = Buffer.from(`<<${body.entries}/Length ${body.data.length}>>stream\n`, 'latin1')
  return Buffer.concat([head, body.data, Buffer.from('\nendstream')])
}

/** A file with a cross-reference table; object n is `bodies[n - 1]`, the catalog is object 1. */
export function buildPdf(bodies: readonly Body[], trailer = ''): Buffer {
  const file = new Parts()
  const offsets = bodies.map((body, index) => file.add(`${index + 1} 0 obj\n`, written(body), '\nendobj\n'))
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = bodies.length + 1
  const xref = file.add(`xref\n0 ${size}\n0000000000 65535 f \n`, rows.join(''))
  file.add(`trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${xref}\n%%EOF\n`)
  return file.bytes()
}

/** The same objects in an object stream with a cross-reference stream, as far as possible. */
export function buildCompressedPdf(bodies: readonly Body[]): Buffer {
  const file = new Parts()
  const container = bodies.length + 1
  const members = bodies.flatMap((body, index) => (typeof body === 'string' ? [{ num: index + 1, body }] : []))
  let at = 0
  const index = members.map(({ num, body }) => {
    const pair = `${num} ${at}`
    at += body.length + 1
    return pair
  })
  const head = `${index.join(' ')}\n`
  const objectStream = deflated(
    `/Type/ObjStm/N ${members.length}/First ${head.length}`,
    head + members.map(({ body }) => body).join('\n'),
  )
  const entries = [...bodies, objectStream].map((body, position) => {
    const member = members.findIndex(({ num }) => num === position + 1)
    if (member >= 0) return [2, container, member] as const
    return [1, file.add(`${position + 1} 0 obj\n`, written(body), '\nendobj\n'), 0] as const
  })
  const xref = file.length
  const rows = [[0, 0, 0] as const, ...entries, [1, xref, 0] as const].map(([type, first, second]) => {
    const row = Buffer.alloc(7)
    row.writeUInt8(type, 0)
    row.writeUInt32BE(first, 1)
    row.writeUInt16BE(second, 5)
    return row
  })
  const body = deflated(`/Type/XRef/W[1 4 2]/Size ${rows.length}/Root 1 0 R`, Buffer.concat(rows))
  file.add(`${rows.length - 1} 0 obj\n`, written(body), `\nendobj\nstartxref\n${xref}\n%%EOF\n`)
  return file.bytes()
}

export interface Page {
  readonly content?: Body
  /** Entries of the page's resources. */
  readonly resources?: string
  /** Additional entries of the page, the catalog and the trailer. */
  readonly page?: string
  readonly catalog?: string
  readonly trailer?: string
  /** Objects from FIRST_FREE on. */
  readonly objects?: readonly Body[]
}

/** The number of the first of `Page.objects`. */
export const FIRST_FREE = 6

const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'

/** Objects of a document of one page, 200 by 200 points, with Helvetica as /F1. */
export function onePageBodies({
  content = stream('', ''),
  resources = '/Font<</F1 5 0 R>>',
  page = '',
  catalog = '',
  objects = [],
}: Page): Body[] {
  return [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<<${resources}>>${page}>>`,
    content,
    FONT,
    ...objects,
  ]
}

/** A document of one page. */
export function onePage(page: Page): Buffer {
  return buildPdf(onePageBodies(page), page.trailer)
}

class Parts {
  length = 0
  readonly #parts: Buffer[] = []

  constructor() {
    this.add('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
  }

  /** Appends and returns the first part's offset. */
  add(...parts: (string | Buffer)[]): number {
    const start = this.length
    for (const part of parts) {
      const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part
      this.#parts.push(bytes)
      this.length += bytes.length
    }
    return start
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }
}
