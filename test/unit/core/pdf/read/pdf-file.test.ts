import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { bufferSource, type ByteSource, openFileSource } from '#core/pdf/read/byte-source.ts'
import { openPdf, type PdfFile } from '#core/pdf/read/pdf-file.ts'
import { isNull, rawOf } from '#core/pdf/read/value.ts'
import { openBytes, readEverything, refusalOf } from '../../../../support/judges/open-pdf.ts'
import { type PdfBuilder, simpleBuilder, simplePdf } from '../../../../support/builders/pdf-builder.ts'

function content(file: PdfFile): string | undefined {
  const stream = file.resolve(file.page(0).dict.entries.get('Contents'))
  return stream.kind === 'stream' ? file.decode(stream)?.toString('latin1') : undefined
}

function objectText(file: PdfFile, num: number): string {
  return rawOf(file.get(num)).toString('latin1')
}

describe.each(['table', 'stream'] as const)('a document with a cross-reference %s', (kind) => {
  const file = openBytes(simplePdf({ kind }))

  test('is read', () => {
    expect(file).toMatchObject({ xrefKind: kind, pageCount: 1, headerVersion: '1.7', headerOffset: 0, base: 0, hybrid: false })
    expect(content(file)).toBe('BT /F1 12 Tf 20 100 Td (Hello) Tj ET')
    expect([...file.objectNumbers()]).toEqual(kind === 'table' ? [1, 2, 3, 4, 5] : [1, 2, 3, 4, 5, 6])
  })

  test('has null for missing objects', () => {
    for (const num of [0, 99, -1]) expect(isNull(file.get(num))).toBe(true)
    expect(isNull(file.resolve(undefined))).toBe(true)
  })
})

describe('the newest revision counts', () => {
  const older = '<</Type/Font/BaseFont/Older>>'
  const newer = '<</Type/Font/BaseFont/Newer>>'

  test('over older ones, whatever the kinds of their cross-reference sections', () => {
    const table = simpleBuilder().object(5, older).table('/Root 1 0 R').object(5, newer).table('/Root 1 0 R')
    expect(objectText(openBytes(table.bytes()), 5)).toBe(newer)
    const stream = simpleBuilder().object(5, older).xrefStream(6, '/Root 1 0 R').object(5, newer).xrefStream(7, '/Root 1 0 R')
    expect(objectText(openBytes(stream.bytes()), 5)).toBe(newer)
  })

  test('and not the last object of the file', () => {
    const builder = simpleBuilder().object(5, newer).table('/Root 1 0 R', { startxref: false })
    const startxref = builder.bytes().lastIndexOf('xref\n0 1')
    builder.raw(`5 0 obj\n${older}\nendobj\nstartxref\n${startxref}\n%%EOF\n`)
    expect(objectText(openBytes(builder.bytes()), 5)).toBe(newer)
  })

  test('so that an object that it frees is null', () => {
    const builder = simpleBuilder({ objects: ['(secret)'] }).table('/Root 1 0 R')
    builder.entries.set(6, { type: 'free' })
    const file = openBytes(builder.table('/Root 1 0 R', { size: 7 }).bytes())
    expect(isNull(file.get(6))).toBe(true)
    expect([...file.objectNumbers()]).not.toContain(6)
  })
})

describe('objects', () => {
  test('with a generation number are found under it', () => {
    const builder = simpleBuilder({ page: '/Mine 6 3 R' }).object(6, '(generation 3)', 3)
    const file = openBytes(builder.table('/Root 1 0 R').bytes())
    expect(rawOf(file.resolve(file.page(0).dict.entries.get('Mine'))).toString()).toBe('(generation 3)')
  })

  test('referred to with another generation number are refused', () => {
    const file = openBytes(simpleBuilder({ page: '/Mine 5 1 R' }).table('/Root 1 0 R').bytes())
    expect(refusalOf(() => file.resolve(file.page(0).dict.entries.get('Mine')))).toBe(
      'DOCUMENT_INVALID: a reference in it has a wrong generation number',
    )
  })

  test('that refer to each other in a loop are refused', () => {
    const file = openBytes(simplePdf({ objects: ['7 0 R', '6 0 R'] }))
    expect(refusalOf(() => file.resolve(file.get(6)))).toBe('DOCUMENT_INVALID: references in it lead in a loop')
  })

  test('larger than a window are read whole', () => {
    const large = `[${'(0123456789) '.repeat(20_000)}]`
    expect(objectText(openBytes(simplePdf({ objects: [large] })), 6)).toBe(large)
  })

  test('larger than the limit are refused', () => {
    const bytes = simplePdf({ objects: [`(${'x'.repeat(200_000)})`] })
    expect(refusalOf(() => openBytes(bytes, { objectBytes: 10_000 }).get(6))).toBe(
      'DOCUMENT_TOO_COMPLEX: one of its objects is too large',
    )
    expect(refusalOf(() => openBytes(bytes).get(6))).toBe('accepted')
  })

  test.each([
    ['another object', (builder: PdfBuilder) => builder.entries.set(5, builder.entries.get(3)!)],
    [
      'another generation',
      (builder: PdfBuilder) =>
        builder.entries.set(5, { type: 'plain', offset: builder.offset, gen: 0 }) && builder.raw('5 1 obj\n<<>>\nendobj\n'),
    ],
    ['no object', (builder: PdfBuilder) => builder.entries.set(5, { type: 'plain', offset: 30, gen: 0 })],
    ['nothing', (builder: PdfBuilder) => builder.entries.set(5, { type: 'plain', offset: 99_999_999, gen: 0 })],
  ])('whose entry leads to %s are refused', (_, spoil) => {
    const builder = simpleBuilder()
    spoil(builder)
    const file = openBytes(builder.table('/Root 1 0 R').bytes())
    expect(refusalOf(() => file.get(5))).toMatch(/^DOCUMENT_INVALID: an object (is not where|lies behind)/)
  })

  test('that are too large in total are refused', () => {
    const file = openBytes(simplePdf({ objects: Array.from({ length: 100 }, () => `(${'x'.repeat(900)})`) }), {
      parsedBytes: 60_000,
    })
    expect(refusalOf(() => readEverything(file))).toBe('DOCUMENT_TOO_COMPLEX: reading its objects takes too long')
    expect(refusalOf(() => file.catalog())).toBe('accepted')
  })

  test('beyond the limit are refused', () => {
    const file = openBytes(simplePdf({ objects: ['1', '2'] }), { objects: 6 })
    expect(refusalOf(() => [...file.objectNumbers()])).toBe('DOCUMENT_TOO_COMPLEX: it has more than 6 objects')
  })
})

describe('streams', () => {
  function streamWith(length: string, tail = '\nendstream'): PdfFile {
    const builder = simpleBuilder()
    builder.entries.set(4, { type: 'plain', offset: builder.offset, gen: 0 })
    builder.raw(`4 0 obj\n<</Length ${length}>>\nstream\nHello${tail}\nendobj\n`).object(6, '5').object(7, '6 0 R')
    builder.stream(8, '', 'x')
    return openBytes(builder.table('/Root 1 0 R').bytes())
  }

  test.each([
    ['direct', '5', '\nendstream'],
    ['indirect', '6 0 R', '\nendstream'],
    ['indirect twice', '7 0 R', '\r\nendstream'],
    ['followed by the keyword at once', '5', 'endstream'],
    ['followed by more white space than one end of line', '5', '\r\n\r\n endstream'],
  ])('are read by a length that is %s', (_, length, tail) => {
    expect(content(streamWith(length, tail))).toBe('Hello')
  })

  test.each(['4', '7', '-1', '99999999', '99 0 R', '8 0 R', '4 0 R', '(5)', '5.5'])('are refused for the length %s', (length) => {
    const file = streamWith(length)
    expect(refusalOf(() => content(file))).toMatch(/^DOCUMENT_INVALID: a stream in it has (no proper|a wrong) length$/)
  })

  test.each(['\n', '\r\n', '\r'])('start after the end of line %j', (lineEnd) => {
    const builder = simpleBuilder()
    builder.entries.set(4, { type: 'plain', offset: builder.offset, gen: 0 })
    builder.raw(`4 0 obj\n<</Length 5>>stream${lineEnd}Hello\nendstream\nendobj\n`)
    expect(content(openBytes(builder.table('/Root 1 0 R').bytes()))).toBe('Hello')
  })

  test('are not read before their data is requested', () => {
    const builder = simpleBuilder().stream(6, '', Buffer.alloc(3_000_000))
    const bytes = builder.table('/Root 1 0 R').bytes()
    let read = 0
    const inner = bufferSource(bytes)
    const counting: ByteSource = {
      length: bytes.length,
      read: (from, to) => ((read += Math.min(to, bytes.length) - from), inner.read(from, to)),
    }
    const file = openPdf(counting, newBudget(PDF_LIMITS))
    for (const num of file.objectNumbers()) file.get(num)
    expect(read).toBeLessThan(30_000)
  })
})

describe('what is refused at once', () => {
  test.each<[string, Buffer, string]>([
    ['an empty file', Buffer.alloc(0), 'it does not start like a PDF'],
    ['another format', Buffer.from('\x89PNG\r\n'), 'it does not start like a PDF'],
    ['a header alone', Buffer.from('%PDF-1.7\n'), 'its end is missing'],
    ['a truncated file', simplePdf().subarray(0, -60), 'its end is missing'],
    [
      'a startxref to nothing',
      Buffer.from('%PDF-1.7\nstartxref\n5000\n%%EOF'),
      'its cross-reference table is not where the end of the file says',
    ],
    [
      'a startxref to something else',
      Buffer.from('%PDF-1.7\nstartxref\n0\n%%EOF'),
      'an object is not where the cross-reference table says',
    ],
    ['a startxref that is not a number', Buffer.from('%PDF-1.7\nstartxref\nx\n%%EOF'), 'its end is missing'],
    ['a missing catalog', simpleBuilder().table('/Root 9 0 R').bytes(), 'its catalog is damaged'],
    [
      'a catalog that is not a dictionary',
      simpleBuilder().object(1, '[]').table('/Root 1 0 R').bytes(),
      'its catalog is damaged',
    ],
    ['a trailer without catalog', simpleBuilder().table('').bytes(), 'its catalog is damaged'],
    [
      'a trailer with two catalogs',
      simpleBuilder().table('/Root 1 0 R/Root 3 0 R').bytes(),
      'its trailer has the same key twice',
    ],
    ['a catalog with two page trees', simplePdf({ catalog: '/Pages 3 0 R' }), 'its catalog has the same key twice'],
  ])('%s', (_, bytes, reason) => {
    expect(refusalOf(() => openBytes(bytes))).toBe(`DOCUMENT_INVALID: ${reason}`)
  })

  test.each(['/Encrypt 5 0 R', '/Encrypt<</Filter/Standard>>'])('encryption, by %s', (trailer) => {
    const refusal = /^DOCUMENT_ENCRYPTED/
    expect(refusalOf(() => openBytes(simplePdf({ trailer })))).toMatch(refusal)
    expect(refusalOf(() => openBytes(simplePdf({ trailer, kind: 'stream' })))).toMatch(refusal)
    expect(refusalOf(() => openBytes(simplePdf({ trailer, prefix: 'junk' })))).toMatch(refusal)
    const updated = simpleBuilder().table(`/Root 1 0 R${trailer}`).object(5, '<<>>').table('/Root 1 0 R')
    expect(refusalOf(() => openBytes(updated.bytes()))).toMatch(refusal)
  })
})

describe('harmless peculiarities', () => {
  test.each<[string, Buffer]>([
    ['no newline at the end', simplePdf().subarray(0, -1)],
    ['no %%EOF', simplePdf().subarray(0, -6)],
    ['zeros after the end', Buffer.concat([simplePdf(), Buffer.alloc(1000)])],
    ['/Encrypt null', simplePdf({ trailer: '/Encrypt null' })],
  ])('%s', (_, bytes) => {
    expect(refusalOf(() => readEverything(openBytes(bytes)))).toBe('accepted')
  })
})

test('a file of many megabytes is read through a file source with little memory', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sealwright-scan-'))
  try {
    const builder = simpleBuilder()
    for (let image = 0; image < 12; image++)
      builder.stream(10 + image, '/Subtype/Image/Filter/DCTDecode', Buffer.alloc(4_000_000, image))
    writeFileSync(path.join(folder, 'scan.pdf'), builder.table('/Root 1 0 R').bytes())
    using source = openFileSource(path.join(folder, 'scan.pdf'))
    const before = process.memoryUsage()
    const file = openPdf(source, newBudget(PDF_LIMITS))
    for (const num of file.objectNumbers()) file.get(num)
    expect(content(file)).toContain('Hello')
    expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(6_000_000)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
