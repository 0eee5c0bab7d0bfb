import { describe, expect, test } from 'vitest'
import { openBytes, readEverything, refusalOf } from '../../../../support/judges/open-pdf.ts'
import { simplePdf } from '../../../../support/builders/pdf-builder.ts'

describe('the header', () => {
  const prefix = 'Received: by mail\r\n\r\n'

  test.each([
    ['the start of the file', false, 0],
    ['the header', true, prefix.length],
  ])('may follow other bytes, with offsets from %s', (_, fromHeader, base) => {
    const file = openBytes(simplePdf({ prefix, fromHeader }))
    expect(file).toMatchObject({ headerOffset: prefix.length, base })
    expect(refusalOf(() => readEverything(file))).toBe('accepted')
  })

  test.each(['table', 'stream'] as const)(
    'may follow a byte or two of white space, where offsets lead to the same from both places (%s)',
    (kind) => {
      for (const prefix of ['\n', ' ', '\r\n']) {
        // With carriage returns before every object, two bytes are accepted as well.
        const file = simplePdf({ prefix, fromHeader: true, kind, header: '%PDF-1.7\n\n', blank: '\r\n' })
        expect(openBytes(file)).toMatchObject({ headerOffset: prefix.length, base: prefix.length })
        expect(refusalOf(() => readEverything(openBytes(file)))).toBe('accepted')
      }
    },
  )

  test('is found within the first 1024 bytes only', () => {
    expect(refusalOf(() => openBytes(simplePdf({ prefix: ' '.repeat(1019) })))).toBe('accepted')
    expect(refusalOf(() => openBytes(simplePdf({ prefix: ' '.repeat(1020) })))).toBe(
      'DOCUMENT_INVALID: it does not start like a PDF',
    )
  })

  test('between two documents, one for each way to count offsets, is refused', () => {
    const inner = simplePdf()
    const startxref = Number(/startxref\n(\d+)/.exec(inner.toString('latin1'))![1])
    // From the start of the file, startxref leads to another table, and byte 1 has object 1 of another document.
    const outer = '\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n'.padEnd(startxref)
    const table = 'xref\n1 1\n0000000001 00000 n \ntrailer\n<</Size 2/Root 1 0 R>>\n'
    expect(refusalOf(() => openBytes(Buffer.concat([Buffer.from(outer + table), inner])))).toBe(
      'DOCUMENT_INVALID: the bytes before its header let it be read in two ways',
    )
    expect(refusalOf(() => openBytes(Buffer.concat([Buffer.from(outer), inner])))).toBe('accepted')
  })

  test.each(['%PDF-1.4\n', '%PDF-2.0\n', '%PDF-\n'])('%j is accepted', (header) => {
    expect(refusalOf(() => openBytes(simplePdf({ header })))).toBe('accepted')
  })
})
