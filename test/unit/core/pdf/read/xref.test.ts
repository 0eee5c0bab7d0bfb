import { describe, expect, test } from 'vitest'
import { rawOf } from '#core/pdf/read/value.ts'
import { openBytes, readEverything, refusalOf } from '../../../../support/judges/open-pdf.ts'
import { type PdfBuilder, simpleBuilder, simplePdf } from '../../../../support/builders/pdf-builder.ts'

const DAMAGED_TABLE = 'DOCUMENT_INVALID: its cross-reference table is damaged'
const DAMAGED_STREAM = 'DOCUMENT_INVALID: its cross-reference stream is damaged'

function edited(bytes: Buffer, from: string | RegExp, to: string): Buffer {
  const text = bytes.toString('latin1')
  const changed = text.replace(from, to)
  if (changed === text) throw new Error('the edit changes nothing')
  return Buffer.from(changed, 'latin1')
}

describe('a cross-reference table', () => {
  test.each<[string, Buffer, string]>([
    ['with entries of 19 bytes', edited(simplePdf(), / n \n/g, ' n\n'), DAMAGED_TABLE],
    ['with a damaged first entry', edited(simplePdf(), /0000000000 65535 f/, '000000000x 65535 f'), DAMAGED_TABLE],
    ['with a count that is not a number', edited(simplePdf(), 'xref\n0 1', 'xref\n0 x'), DAMAGED_TABLE],
    ['that goes on beyond the file', edited(simplePdf(), /xref\n0 1/, 'xref\n0 4000'), DAMAGED_TABLE],
    [
      'that claims a million entries',
      edited(simplePdf(), /xref\n0 1/, 'xref\n0 1000001'),
      'DOCUMENT_TOO_COMPLEX: its cross-reference table is too long',
    ],
    ['without trailer', edited(simplePdf(), 'trailer', 'trialer'), DAMAGED_TABLE],
    [
      'whose trailer is not a dictionary',
      edited(simplePdf(), 'trailer\n<<', 'trailer\n[]<<'),
      'DOCUMENT_INVALID: its trailer is damaged',
    ],
    [
      'that lists an object twice',
      edited(simplePdf(), /\n5 1\n/, '\n4 1\n'),
      'DOCUMENT_INVALID: its cross-reference table lists an object twice',
    ],
    ['without /Size', edited(simplePdf(), '/Size 6', ''), 'DOCUMENT_INVALID: its trailer is damaged'],
    ['with too small a /Size', edited(simplePdf(), '/Size 6', '/Size 5'), 'DOCUMENT_INVALID: its trailer counts too few objects'],
    ['with an enormous /Size', edited(simplePdf(), '/Size 6', '/Size 8388608'), 'DOCUMENT_INVALID: its trailer is damaged'],
    ['with a /Prev that is not an offset', simplePdf({ trailer: '/Prev -5' }), 'DOCUMENT_INVALID: its trailer is damaged'],
    [
      'with two different /Prev',
      simplePdf({ trailer: '/Prev 5/Prev 6' }),
      'DOCUMENT_INVALID: its trailer has the same key twice',
    ],
    [
      'with a /Prev beyond the file',
      simplePdf({ trailer: '/Prev 99999' }),
      'DOCUMENT_INVALID: its cross-reference table is not where the end of the file says',
    ],
  ])('%s is refused', (_, bytes, refusal) => {
    expect(refusalOf(() => openBytes(bytes))).toBe(refusal)
  })

  test('with a damaged entry in the middle is refused on lookup of that entry', () => {
    const row = /(n \n)2 1\n(\d{10}) 00000 n \n3 1\n/.exec(simplePdf().toString('latin1'))
    expect(row).not.toBeNull()
    const file = (): unknown => openBytes(edited(simplePdf(), /2 1\n(\d{10}) 00000 n \n/, '2 1\n$1 0000x n \n'))
    expect(refusalOf(file)).toBe(DAMAGED_TABLE)
  })

  test('may leave unused objects at offset 0', () => {
    const builder = simpleBuilder()
    builder.entries.set(6, { type: 'plain', offset: 0, gen: 0 })
    expect(refusalOf(() => readEverything(openBytes(builder.table('/Root 1 0 R').bytes())))).toBe('accepted')
  })

  test('may be empty in an update', () => {
    const bytes = simpleBuilder().table('/Root 1 0 R').table('/Root 1 0 R', { size: 6 }).bytes()
    expect(refusalOf(() => readEverything(openBytes(bytes)))).toBe('accepted')
  })
})

describe('the chain of cross-reference sections', () => {
  test('must not form a loop', () => {
    const first = simpleBuilder().table('/Root 1 0 R')
    const offset = first.offset
    const bytes = first.raw(`xref\n0 0\ntrailer\n<</Size 6/Root 1 0 R/Prev ${offset}>>\nstartxref\n${offset}\n%%EOF\n`).bytes()
    expect(refusalOf(() => openBytes(bytes))).toBe('DOCUMENT_INVALID: its cross-reference tables refer to each other in a loop')
  })

  test('must not be too long', () => {
    const builder = simpleBuilder().table('/Root 1 0 R')
    for (let revision = 0; revision < 3; revision++) builder.table('/Root 1 0 R', { size: 6 })
    expect(refusalOf(() => openBytes(builder.bytes(), { xrefSections: 3 }))).toBe(
      'DOCUMENT_TOO_COMPLEX: it has too many revisions',
    )
    expect(refusalOf(() => openBytes(builder.bytes(), { xrefSections: 4 }))).toBe('accepted')
  })
})

describe('a cross-reference stream', () => {
  function withXref(entries: string, data = Buffer.alloc(0)): Buffer {
    const builder = simpleBuilder()
    const start = builder.offset
    return builder.stream(6, entries, data).raw(`startxref\n${start}\n%%EOF\n`).bytes()
  }

  test.each<[string, Buffer]>([
    ['of another type', withXref('/Type/Other/W[1 4 2]/Size 7/Root 1 0 R')],
    ['without /W', withXref('/Type/XRef/Size 7/Root 1 0 R')],
    ['with too few widths', withXref('/Type/XRef/W[1 4]/Size 7/Root 1 0 R')],
    ['with widths of nothing', withXref('/Type/XRef/W[0 0 0]/Size 7/Root 1 0 R')],
    ['with enormous widths', withXref('/Type/XRef/W[1 9 2]/Size 7/Root 1 0 R')],
    ['with widths that are not numbers', withXref('/Type/XRef/W[/A 4 2]/Size 7/Root 1 0 R')],
    ['with an odd /Index', withXref('/Type/XRef/W[1 4 2]/Index[0]/Size 7/Root 1 0 R')],
    ['with an /Index that is not an array', withXref('/Type/XRef/W[1 4 2]/Index[/A 1]/Size 7/Root 1 0 R')],
    ['shorter than it says', withXref('/Type/XRef/W[1 4 2]/Size 7/Root 1 0 R', Buffer.alloc(48))],
    ['whose parts are elsewhere', withXref('/Type/XRef/W[1 4 2]/Size 7/Filter 5 0 R/Root 1 0 R')],
  ])('%s is refused', (_, bytes) => {
    expect(refusalOf(() => openBytes(bytes))).toBe(DAMAGED_STREAM)
  })

  test('that declares a million entries is refused', () => {
    expect(refusalOf(() => openBytes(withXref('/Type/XRef/W[1 4 2]/Index[0 1000001]/Size 7/Root 1 0 R')))).toBe(
      'DOCUMENT_TOO_COMPLEX: its cross-reference table is too long',
    )
  })

  test('may have entries without type, and of unknown type', () => {
    const builder = simpleBuilder()
    const offsets = [1, 2, 3, 4, 5]
      .map((num) => builder.entries.get(num))
      .map((entry) => (entry?.type === 'plain' ? entry.offset : 0))
    const rows = [0, ...offsets, builder.offset].flatMap((offset) => [offset >> 8, offset & 255])
    const start = builder.offset
    const data = Buffer.from(rows)
    const bytes = builder.stream(6, '/Type/XRef/W[0 2 0]/Size 7/Root 1 0 R', data).raw(`startxref\n${start}\n%%EOF\n`).bytes()
    expect(refusalOf(() => readEverything(openBytes(bytes)))).toBe('accepted')
    const typed = simpleBuilder()
    const hidden = typed.hiddenXref(6, '/Size 7/Root 1 0 R')
    const file = typed.raw(`startxref\n${hidden}\n%%EOF\n`).bytes()
    const row = file.indexOf(Buffer.from([1, 0, 0, 0, 9]))
    expect(row).toBeGreaterThan(0)
    expect(refusalOf(() => openBytes(file))).toBe('accepted')
    file[row] = 7
    expect(refusalOf(() => openBytes(file))).toBe('DOCUMENT_INVALID: its catalog is damaged')
  })
})

describe('a hybrid-reference file', () => {
  /** The layout of Word: a table, then an empty section with a stream that lists all objects, some of them hidden. */
  function hybrid(spoil: (builder: PdfBuilder) => void = () => undefined): PdfBuilder {
    const builder = simpleBuilder({ page: '/Mine 7 0 R' })
    builder.objectStream(6, new Map([[7, '(hidden)']]))
    const entries = new Map(builder.entries)
    builder.entries.set(7, { type: 'free' })
    builder.table('/Root 1 0 R', { startxref: false })
    for (const [num, entry] of entries) builder.entries.set(num, entry)
    spoil(builder)
    const hidden = builder.hiddenXref(8, '/Size 9/Root 1 0 R')
    builder.entries.clear()
    return builder.table(`/Root 1 0 R/XRefStm ${hidden}`, { size: 9 })
  }

  test('shows its hidden objects', () => {
    const file = openBytes(hybrid().bytes())
    expect(file).toMatchObject({ hybrid: true, xrefKind: 'table', size: 9 })
    expect(rawOf(file.get(7)).toString()).toBe('(hidden)')
    expect([...file.objectNumbers()].sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('loses a hidden object that a later update frees', () => {
    const builder = hybrid()
    builder.entries.set(7, { type: 'free' })
    expect(openBytes(builder.table('/Root 1 0 R', { size: 9 }).bytes()).get(7)).toMatchObject({ word: 'null' })
  })

  test.each<[string, (builder: PdfBuilder) => void]>([
    ['puts an object elsewhere', (builder) => builder.object(5, '<</Other true>>')],
    ['puts an object into a stream', (builder) => builder.entries.set(5, { type: 'member', stream: 6, index: 0 })],
    ['frees an object', (builder) => builder.entries.set(5, { type: 'free' })],
  ])('is refused when its stream %s that is in use in the table', (_, spoil) => {
    expect(refusalOf(() => openBytes(hybrid(spoil).bytes()))).toBe(
      'DOCUMENT_INVALID: its two cross-reference tables contradict each other',
    )
  })

  test('is accepted when a later update replaces an object of both', () => {
    const bytes = hybrid().object(5, '<</Updated true>>').table('/Root 1 0 R', { size: 9 }).bytes()
    expect(rawOf(openBytes(bytes).get(5)).toString()).toBe('<</Updated true>>')
  })
})
