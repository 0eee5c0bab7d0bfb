// Revisions that a forger could append to a sealed file, named or made by chance. Each is written byte by byte: what it lists, what it holds
// and what it hides are independent of each other. What readers make of it is for the readers to say.
import { type PdfDict, rawOf } from '#core/pdf/read/value.ts'
import { anyOf, type SeededRandom } from '../builders/seeded-random.ts'
import { openBytes } from '../judges/open-pdf.ts'
import { type Numbers, PRICE, type SealedDocument } from './sealed-documents.ts'

/** One piece of a revision. */
export type Piece =
  | { readonly kind: 'object'; readonly num: number; readonly gen?: number; readonly body: string }
  /** Bytes that nothing lists. */
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'free'; readonly num: number }
  /** A listed entry that leads to a byte of the sealed file. */
  | { readonly kind: 'entry'; readonly num: number; readonly offset: number }

export interface LaterRevision {
  readonly name: string
  readonly pieces: readonly Piece[]
  readonly section: 'table' | 'stream'
  /** The number of a cross-reference stream that does not list itself. */
  readonly unlistedNumber?: number
}

const FORGED = 'BT /F1 12 Tf 20 100 Td (Price: 999999) Tj ET'

export function streamBody(data: string, entries = ''): string {
  return `<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream`
}

/** The object as the file has it. */
export function bodyOf(bytes: Buffer, num: number): string {
  const file = openBytes(bytes)
  const value = file.get(num)
  const text = rawOf(value).toString('latin1')
  return value.kind === 'stream' ? `${text}\nstream\n${file.streamData(value).toString('latin1')}\nendstream` : text
}

/** Appends the revision to the sealed file. */
export function append(sealed: Buffer, { pieces, section, unlistedNumber }: LaterRevision): Buffer {
  const { size, startxref, trailer } = openBytes(sealed)
  const { entries, text } = writePieces(pieces, sealed.length)
  const start = sealed.length + text.length
  const table = Math.max(size - 1, ...entries.keys()) + 1
  if (section === 'stream' && unlistedNumber === undefined) entries.set(table, [1, start, 0])
  const rows = [...entries].sort(([one], [other]) => one - other)
  const last = `/Size ${table + 1}${keptOf(trailer)}/Prev ${startxref}`
  const written = section === 'table' ? tableOf(rows, last) : xrefStreamOf(rows, unlistedNumber ?? table, last)
  return Buffer.concat([sealed, Buffer.from(text, 'latin1'), written, Buffer.from(`startxref\n${start}\n%%EOF\n`)])
}

function writePieces(pieces: readonly Piece[], start: number) {
  const entries = new Map<number, Row[1]>()
  let text = ''
  for (const piece of pieces) {
    if (piece.kind === 'free') entries.set(piece.num, [0, 0, 1])
    if (piece.kind === 'entry') entries.set(piece.num, [1, piece.offset, 0])
    if (piece.kind === 'raw') text += piece.text
    if (piece.kind !== 'object') continue
    entries.set(piece.num, [1, start + text.length, piece.gen ?? 0])
    text += `${piece.num} ${piece.gen ?? 0} obj\n${piece.body}\nendobj\n`
  }
  return { entries, text }
}

function keptOf({ entries }: PdfDict): string {
  const kept = ['Root', 'Info', 'ID'].flatMap((key) => {
    const value = entries.get(key)
    return value === undefined ? [] : [`/${key} ${rawOf(value).toString('latin1')}`]
  })
  return kept.join('')
}

type Row = readonly [num: number, entry: readonly [type: number, offset: number, gen: number]]

function tableOf(rows: readonly Row[], trailer: string): Buffer {
  const lines = rows.map(([num, [type, offset, gen]]) => {
    return `${num} 1\n${String(offset).padStart(10, '0')} ${String(gen).padStart(5, '0')} ${type === 0 ? 'f' : 'n'} \n`
  })
  return Buffer.from(`xref\n${lines.join('')}trailer\n<<${trailer}>>\n`, 'latin1')
}

function xrefStreamOf(rows: readonly Row[], table: number, trailer: string): Buffer {
  const data = Buffer.concat(
    rows.map(([, [type, offset, gen]]) => {
      const row = Buffer.alloc(7)
      row.writeUInt8(type)
      row.writeUInt32BE(offset, 1)
      row.writeUInt16BE(gen, 5)
      return row
    }),
  )
  const dict = `<</Type/XRef/W[1 4 2]/Index[${rows.map(([num]) => `${num} 1`).join(' ')}]/Length ${data.length}${trailer}>>`
  return Buffer.concat([Buffer.from(`${table} 0 obj\n${dict}\nstream\n`, 'latin1'), data, Buffer.from('\nendstream\nendobj\n')])
}

/** The named forgeries: each changed, or could change, what some reader shows. */
export function forgeries({ bytes: sealed, numbers, awaits }: SealedDocument): LaterRevision[] {
  const { size } = openBytes(sealed)
  const same = (num: number, gen = 1): Piece => ({ kind: 'object', num, gen, body: bodyOf(sealed, num) })
  const price = `${numbers.price} 0 obj\n${streamBody(FORGED)}\nendobj\n`
  const hidden: Piece = { kind: 'raw', text: price }
  const named: Record<string, Piece[]> = {
    'the price replaced': [{ kind: 'object', num: numbers.price, body: streamBody(FORGED) }],
    'a generation moved and an unlisted price': [same(numbers.state), hidden],
    'the price moved to another generation': [same(numbers.price)],
    'the font moved to another generation': [same(numbers.font, 7)],
    'the clause moved to another generation': [same(numbers.clause)],
    'a page moved to another generation': [same(numbers.page)],
    'the seal moved to another generation': [same(numbers.mark)],
    'an unlisted price': [{ kind: 'object', num: size, body: '<<>>' }, hidden],
    'an unlisted price before everything': [hidden, { kind: 'object', num: size, body: '<<>>' }],
    'an unlisted price in a comment': [{ kind: 'raw', text: `% ${price.replaceAll('\n', '\r')}` }],
    'an unlisted price in a comment line': [{ kind: 'raw', text: `%\r${price}` }],
    'a price in the data of a stream': [
      { kind: 'object', num: size, body: streamBody(`\nendstream\nendobj\n${price}`, '/Type/Metadata') },
    ],
    'a price in a string': [{ kind: 'object', num: size, body: `(\n${price})` }],
    'a price whose header has comments': [{ kind: 'object', num: size, body: `(\n${price.replace(' 0 obj', ' %\n0 %\nobj')})` }],
    'the state removed': [{ kind: 'free', num: numbers.state }],
    'the clause removed': [{ kind: 'free', num: numbers.clause }],
    'the clause listed where the font is': [
      { kind: 'entry', num: numbers.clause, offset: sealed.indexOf(`${numbers.font} 0 obj`) },
    ],
    'the clause listed where nothing is': [{ kind: 'entry', num: numbers.clause, offset: 3 }],
    'a reference to nothing': [
      { kind: 'object', num: size, body: streamBody('<x/>', `/Type/Metadata/Subtype/XML/X ${size + 9} 0 R`) },
      { kind: 'object', num: 1, body: bodyOf(sealed, 1).replace(/>>$/, `/Metadata ${size} 0 R>>`) },
    ],
    'a hidden trailer': [
      { kind: 'raw', text: `% trailer <</Root ${size} 0 R>>\n` },
      { kind: 'object', num: size, body: bodyOf(sealed, 1) },
    ],
    'members that are not listed': [
      {
        kind: 'object',
        num: size,
        body: streamBody(
          `${numbers.font} 0 <</Type/Font/Subtype/Type1/BaseFont/Symbol>>`,
          `/Type/ObjStm/N 1/First ${`${numbers.font} 0 `.length}`,
        ),
      },
    ],
  }
  if (awaits) named['what was missing'] = [{ kind: 'object', num: numbers.missing, body: '<</ca 0>>' }]
  const pairs = Object.entries(named).flatMap(([name, pieces]) =>
    (['table', 'stream'] as const).map((section) => ({ name: `${name} (${section})`, pieces, section })),
  )
  const unlisted = { name: 'a stream in place of the price', section: 'stream', unlistedNumber: numbers.price } as const
  return [...pairs, { ...unlisted, pieces: [{ kind: 'object', num: size, body: '<<>>' }] }]
}

/** Revisions that are permitted after a seal. */
export function harmless(sealed: Buffer): LaterRevision[] {
  const { size } = openBytes(sealed)
  const catalog = (more: string): Piece => ({ kind: 'object', num: 1, body: bodyOf(sealed, 1).replace(/>>$/, `${more}>>`) })
  const named: Record<string, Piece[]> = {
    'the catalog again': [catalog('')],
    'white space and a comment': [{ kind: 'raw', text: ' \n%% saved again\r\n' }, catalog('')],
    'validation data': [
      catalog(`/DSS ${size} 0 R`),
      { kind: 'object', num: size, body: `<</Certs[${size + 1} 0 R]>>` },
      { kind: 'object', num: size + 1, body: streamBody('certificate') },
    ],
    metadata: [
      catalog(`/Metadata ${size} 0 R`),
      { kind: 'object', num: size, body: streamBody('<x/>', '/Type/Metadata/Subtype/XML') },
    ],
  }
  return Object.entries(named).map(([name, pieces]) => ({
    name,
    pieces,
    section: sealed.includes('/Type/XRef') ? 'stream' : 'table',
  }))
}

/** A revision of one to four pieces by chance. */
export function anyRevision(sealed: Buffer, numbers: Numbers, roll: SeededRandom): LaterRevision {
  const { size } = openBytes(sealed)
  const known = [numbers.price, numbers.state, numbers.font, numbers.clause, numbers.page, numbers.mark, 1, 2]
  const num = () => anyOf([...known, numbers.missing, size, size + 1], roll)
  const copy = (): string => bodyOf(sealed, anyOf(known, roll))
  const choices: (() => Piece[])[] = [
    () => {
      const same = anyOf(known, roll)
      return [{ kind: 'object', num: same, gen: roll(4) === 0 ? 1 : 0, body: bodyOf(sealed, same) }]
    },
    () => [{ kind: 'object', num: num(), gen: roll(5) === 0 ? 1 : 0, body: copy() }],
    () => [{ kind: 'object', num: num(), body: streamBody(anyOf([FORGED, PRICE, ''], roll)) }],
    () => [
      {
        kind: 'object',
        num: size + roll(3),
        body: anyOf(['<<>>', 'null', `[${num()} 0 R]`, `<</X ${num()} ${roll(2)} R>>`], roll),
      },
    ],
    () => [{ kind: 'free', num: num() }],
    () => [
      {
        kind: 'raw',
        text: anyOf(
          ['\n', '%\n', '% x\r', `${num()} 0 obj\n${streamBody(FORGED)}\nendobj\n`, `%\r${num()} 0 obj null endobj\n`],
          roll,
        ),
      },
    ],
    () => [{ kind: 'entry', num: num(), offset: sealed.indexOf(`\n${anyOf(known, roll)} 0 obj`) + 1 }],
    () => harmless(sealed)[roll(4)]!.pieces.slice(),
  ]
  const chosen = Array.from({ length: 1 + roll(3) }, () => anyOf(choices, roll)()).flat()
  // pyHanko cannot read an empty table.
  const pieces = chosen.every(({ kind }) => kind === 'raw') ? [...chosen, ...harmless(sealed)[0]!.pieces] : chosen
  return { name: JSON.stringify(pieces), pieces, section: roll(2) === 0 ? 'table' : 'stream' }
}
