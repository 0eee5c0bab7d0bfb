// Assembles PDF files piece by piece, valid and invalid: the test controls every offset and entry.
export type Entry =
  | { readonly type: 'free' }
  | { readonly type: 'plain'; readonly offset: number; readonly gen: number }
  | { readonly type: 'member'; readonly stream: number; readonly index: number }

export interface BuilderOptions {
  /** Bytes before the header. */
  readonly prefix?: string
  readonly header?: string
  /** Offsets count from the header instead of the file's start. */
  readonly fromHeader?: boolean
  /** White space after every object. */
  readonly blank?: string
}

/** Appends objects and closes revisions; entries collect the open revision's objects. */
export class PdfBuilder {
  readonly entries = new Map<number, Entry>()
  readonly #parts: Buffer[] = []
  readonly #base: number
  readonly #blank: string
  #length = 0
  #lastXref: number | undefined

  constructor({ prefix = '', header = '%PDF-1.7\n', fromHeader = false, blank = '' }: BuilderOptions = {}) {
    this.#blank = blank
    this.raw(prefix)
    this.#base = fromHeader ? this.#length : 0
    this.raw(header)
  }

  /** The offset of the next byte. */
  get offset(): number {
    return this.#length - this.#base
  }

  raw(bytes: string | Buffer): this {
    const part = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
    this.#parts.push(part)
    this.#length += part.length
    return this
  }

  object(num: number, body: string, gen = 0): this {
    this.entries.set(num, { type: 'plain', offset: this.offset, gen })
    return this.raw(`${num} ${gen} obj\n${body}\nendobj\n${this.#blank}`)
  }

  stream(num: number, entries: string, data: string | Buffer): this {
    this.entries.set(num, { type: 'plain', offset: this.offset, gen: 0 })
    return this.raw(`${num} 0 obj\n<<${entries}/Length ${data.length}>>\nstream\n`)
      .raw(data)
      .raw(`\nendstream\nendobj\n${this.#blank}`)
  }

  /** The members by number. Uncompressed, so that a changed byte changes one object. */
  objectStream(num: number, members: ReadonlyMap<number, string>): this {
    let at = 0
    const index = [...members].map(([member, body], position) => {
      this.entries.set(member, { type: 'member', stream: num, index: position })
      const pair = `${member} ${at}`
      at += body.length + 1
      return pair
    })
    const head = `${index.join(' ')}\n`
    return this.stream(num, `/Type/ObjStm/N ${members.size}/First ${head.length}`, head + [...members.values()].join('\n'))
  }

  /** Closes the revision with a table. `trailer` adds entries to /Size and /Prev. */
  table(trailer: string, { size = this.size(), startxref = true }: { size?: number; startxref?: boolean } = {}): this {
    const start = this.offset
    const rows = [...this.entries].sort(([one], [other]) => one - other)
    const sections = rows.map(([num, entry]) => `${num} 1\n${tableRow(entry)}`)
    this.raw(`xref\n${sections.join('')}trailer\n<</Size ${size}${this.#prev()}${trailer}>>\n`)
    return this.#close(start, startxref)
  }

  /** Closes the revision with a cross-reference stream, object `num`. */
  xrefStream(num: number, trailer: string, { size = Math.max(num + 1, this.size()) } = {}): this {
    const start = this.offset
    this.hiddenXref(num, `/Size ${size}${this.#prev()}${trailer}`)
    return this.#close(start, true)
  }

  /** A cross-reference stream without startxref, for /XRefStm; returns its offset. */
  hiddenXref(num: number, entries: string): number {
    const start = this.offset
    this.entries.set(num, { type: 'plain', offset: start, gen: 0 })
    const rows = [...this.entries].sort(([one], [other]) => one - other)
    const index = rows.map(([row]) => `${row} 1`).join(' ')
    this.stream(num, `/Type/XRef/W[1 4 2]/Index[${index}]${entries}`, Buffer.concat(rows.map(([, entry]) => streamRow(entry))))
    return start
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }

  size(): number {
    return Math.max(0, ...this.entries.keys()) + 1
  }

  #prev(): string {
    return this.#lastXref === undefined ? '' : `/Prev ${this.#lastXref}`
  }

  #close(start: number, startxref: boolean): this {
    this.#lastXref = start
    this.entries.clear()
    return startxref ? this.raw(`startxref\n${start}\n%%EOF\n`) : this
  }
}

function tableRow(entry: Entry): string {
  if (entry.type === 'plain') return `${digits(entry.offset, 10)} ${digits(entry.gen, 5)} n \n`
  return '0000000000 65535 f \n'
}

function streamRow(entry: Entry): Buffer {
  const row = Buffer.alloc(7)
  if (entry.type === 'free') return row
  row.writeUInt8(entry.type === 'plain' ? 1 : 2)
  row.writeUInt32BE(entry.type === 'plain' ? entry.offset : entry.stream, 1)
  row.writeUInt16BE(entry.type === 'plain' ? entry.gen : entry.index, 5)
  return row
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0')
}

export interface SimpleOptions extends BuilderOptions {
  readonly kind?: 'table' | 'stream'
  /** Additional entries of the catalog, the page and the trailer. */
  readonly catalog?: string
  readonly page?: string
  readonly trailer?: string
  /** Entries of the page tree's root, which the page inherits. */
  readonly pages?: string
  readonly content?: string
  /** Objects from number 6 on. */
  readonly objects?: readonly string[]
}

/** The number of the first additional object. */
export const FIRST_FURTHER = 6

/** A document of one page, 200 by 200 points: catalog 1, page tree 2, page 3, content 4, font 5. */
export function simplePdf(options: SimpleOptions = {}): Buffer {
  const builder = simpleBuilder(options)
  if (options.kind === 'stream') builder.xrefStream(builder.size(), `/Root 1 0 R${options.trailer ?? ''}`)
  else builder.table(`/Root 1 0 R${options.trailer ?? ''}`)
  return builder.bytes()
}

/** The same before its cross-reference section is written. */
export function simpleBuilder(options: SimpleOptions = {}): PdfBuilder {
  const { catalog = '', pages = '', content = 'BT /F1 12 Tf 20 100 Td (Hello) Tj ET', objects = [] } = options
  const page = options.page ?? '/Resources<</Font<</F1 5 0 R>>>>'
  const builder = new PdfBuilder(options)
  builder.object(1, `<</Type/Catalog/Pages 2 0 R${catalog}>>`)
  builder.object(2, `<</Type/Pages/Kids[3 0 R]/Count 1${pages}>>`)
  builder.object(3, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R${page}>>`)
  builder.stream(4, '', content)
  builder.object(5, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>')
  for (const [index, body] of objects.entries()) builder.object(FIRST_FURTHER + index, body)
  builder.entries.set(0, { type: 'free' })
  return builder
}
