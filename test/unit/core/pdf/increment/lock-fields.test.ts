// How a seal locks the fields of a form.
import { describe, expect, test } from 'vitest'
import { textOf } from '#core/pdf/read/text-string.ts'
import { rawOf } from '#core/pdf/read/value.ts'
import { openBytes, readEverything } from '../../../../support/judges/open-pdf.ts'
import { simplePdf, type SimpleOptions } from '../../../../support/builders/pdf-builder.ts'
import { dictOf, raw, seal, widgetOf } from './seal-document.ts'

describe('the fields of the form', () => {
  const form = (...objects: string[]): SimpleOptions => ({ catalog: '/AcroForm<</Fields[6 0 R]>>', objects })
  const script = '/AA<</F<</S/JavaScript/JS(AFNumber_Format\\(2\\))>>>>'

  // requirements: decisions/documents/forms
  test.each<[string, SimpleOptions, Record<number, string>]>([
    ['get the read-only flag', form('<</FT/Tx/T(a)/V(1)>>'), { 6: '<</FT /Tx/T (a)/V (1)/Ff 1>>' }],
    [
      'keep their other flags, inherited too',
      form('<</FT/Ch/T(a)/Ff 6/Kids[7 0 R 8 0 R]>>', '<</T(b)/Parent 6 0 R>>', '<</T(c)/Parent 6 0 R/Ff 2>>'),
      { 7: '<</T (b)/Parent 6 0 R/Ff 7>>', 8: '<</T (c)/Parent 6 0 R/Ff 3>>' },
    ],
    [
      'get it once for all of their widgets',
      form('<</FT/Btn/T(a)/Kids[7 0 R]>>', '<</Subtype/Widget/Parent 6 0 R>>'),
      { 6: '<</FT /Btn/T (a)/Kids [7 0 R]/Ff 1>>' },
    ],
    ['lose their format scripts', form(`<</FT/Tx/T(a)/Ff 1${script}>>`), { 6: '<</FT /Tx/T (a)/Ff 1>>' }],
    [
      'lose the format scripts of their widgets',
      form('<</FT/Tx/T(a)/Ff 1/Kids[7 0 R]>>', `<</Subtype/Widget/Parent 6 0 R${script}>>`),
      { 7: '<</Subtype /Widget/Parent 6 0 R>>' },
    ],
    ['keep other scripts, where the installation allows them', form('<</FT/Tx/T(a)/Ff 1/AA<</F<</JS(x)>>>>>>'), {}],
    ['stay as they are when they are for signatures', form('<</FT/Sig/T(a)>>'), {}],
  ])('%s', (_, options, changed) => {
    const original = simplePdf(options)
    const { file } = seal(original)
    readEverything(file)
    const before = openBytes(original)
    for (const num of [...before.objectNumbers()].filter((each) => each >= 6)) {
      expect(rawOf(file.get(num)).toString().replaceAll('\n', '')).toBe(changed[num] ?? rawOf(before.get(num)).toString())
    }
  })

  // requirements: decisions/documents/forms
  test('are named by the lock of the seal', () => {
    const sealed = seal(
      simplePdf({
        catalog: '/AcroForm<</Fields[6 0 R 7 0 R<</FT/Sig/T(empty)>>]>>',
        objects: ['<</T(a)/Kids[<</FT/Tx/T(\\(b)>><</FT/Btn/T<FEFF0141>>>]>>', '<</FT/Ch/T(c)/Ff 1>>'],
      }),
    )
    const lock = dictOf(sealed.file.resolve(widgetOf(sealed).entries.get('Lock')))
    expect(raw(lock, 'Action')).toBe('/Include')
    const names = sealed.file.resolve(lock.entries.get('Fields'))
    const texts = names.kind === 'array' ? names.items.map((name) => name.kind === 'string' && textOf(name)) : []
    expect(new Set(texts)).toEqual(new Set(['a.(b', 'a.Ł', 'c']))
  })

  test('are only named where an earlier signature permits no other change', () => {
    const catalog = '/AcroForm<</Fields[6 0 R<</FT/Sig/T(s)/V<</Type/Sig>>>>]>>'
    const sealed = seal(simplePdf({ catalog, objects: [`<</FT/Tx/T(a)${script}>>`] }))
    expect(widgetOf(sealed).entries.has('Lock')).toBe(true)
    expect(sealed.increment.bytes.includes('\n6 0 obj')).toBe(false)
  })
})

test('a form without fields gets no lock', () => {
  expect(widgetOf(seal(simplePdf())).entries.has('Lock')).toBe(false)
})
