import { describe, expect, test } from 'vitest'
import { readAcroForm, walkFields } from '#core/pdf/read/form-fields.ts'
import { openBytes, refusalOf } from '../../../../support/judges/open-pdf.ts'
import { simplePdf } from '../../../../support/builders/pdf-builder.ts'

/** A form with these fields; further objects start at number 6. */
function fieldsOf(fields: string, objects: readonly string[] = []): ReturnType<typeof walkFields> {
  return walkFields(openBytes(simplePdf({ catalog: `/AcroForm<</Fields ${fields}>>`, objects })))
}

describe('fields', () => {
  test('are found at every level, with their inherited type', () => {
    const fields = fieldsOf('[6 0 R<</T(direct)>>]', [
      '<</T(a)/FT/Sig/Kids[7 0 R 8 0 R]>>',
      '<</T(b)/V<<>>>>',
      '<</FT/Tx/T<FEFF0141>/V<<>>>>',
    ])
    const seen = [...fields].map(({ partialName, topLevel, isSignature, signature }) => [
      partialName,
      topLevel,
      isSignature,
      signature !== undefined,
    ])
    expect(new Set(seen)).toEqual(
      new Set([
        ['a', true, true, false],
        ['b', false, true, true],
        ['direct', true, false, false],
        ['Ł', false, false, false],
      ]),
    )
  })

  test('that are widgets tell whether only the viewer can draw them', () => {
    const widget = '/Subtype/Widget'
    const fields = fieldsOf('[6 0 R]', [
      `<</FT/Tx/Kids[<<${widget}/T(no)>><<${widget}/T(empty)/AP<<>>>><<${widget}/T(has)/AP<</N 4 0 R>>>><<${widget}/T(sig)/FT/Sig>>]>>`,
    ])
    const drawn = [...fields].filter((field) => field.drawnByViewer)
    expect(new Set(drawn.map((field) => field.partialName))).toEqual(new Set(['empty', 'no']))
  })

  test('in a loop, or listed twice, are visited once', () => {
    const fields = fieldsOf('[6 0 R 6 0 R]', ['<</T(a)/Kids[7 0 R]>>', '<</T(b)/Kids[6 0 R 7 0 R]>>'])
    expect([...fields].map((field) => field.partialName)).toEqual(['a', 'b'])
  })

  test('that are not dictionaries are skipped', () => {
    expect([...fieldsOf('[99 0 R 5 (x) null]')]).toEqual([])
  })

  test('in a chain of any length are walked without recursion', () => {
    const objects = Array.from({ length: 20_000 }, (_, index) => `<</Kids[${index + 7} 0 R]>>`)
    expect([...fieldsOf('[6 0 R]', objects)]).toHaveLength(20_000)
  })

  test('beyond the limit of objects are refused', () => {
    const bytes = simplePdf({ catalog: '/AcroForm<</Fields[<<>><<>><<>>]>>' })
    expect(refusalOf(() => [...walkFields(openBytes(bytes, { objects: 2 }))])).toBe(
      'DOCUMENT_TOO_COMPLEX: its form has too many fields',
    )
  })
})

describe('the form', () => {
  test.each(['', '/AcroForm null', '/AcroForm 99 0 R'])('is none for %j', (catalog) => {
    const file = openBytes(simplePdf({ catalog }))
    expect(readAcroForm(file)).toBeUndefined()
    expect([...walkFields(file)]).toEqual([])
  })

  test.each([
    ['/AcroForm[]', 'its form is damaged'],
    ['/AcroForm<</Fields[]/Fields[5 0 R]>>', 'its form has the same key twice'],
  ])('is refused for %j', (catalog, reason) => {
    expect(refusalOf(() => readAcroForm(openBytes(simplePdf({ catalog }))))).toBe(`DOCUMENT_INVALID: ${reason}`)
  })
})
