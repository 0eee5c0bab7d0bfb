import { describe, expect, test } from 'vitest'
import { walkFields } from '#core/pdf/read/form-fields.ts'
import type { Placement } from '#core/pdf/increment/place-forms.ts'
import { textOf } from '#core/pdf/read/text-string.ts'
import { type PdfValue, rawOf } from '#core/pdf/read/value.ts'
import { readEverything } from '../../../../support/judges/open-pdf.ts'
import { PdfBuilder, simpleBuilder, simplePdf, type SimpleOptions } from '../../../../support/builders/pdf-builder.ts'
import { AT, dictOf, form, raw, seal, type Sealed, widgetOf } from './seal-document.ts'

const SIGNED = '/AcroForm<</Fields[<</FT/Sig/T(a)/V<</Type/Sig>>>>]>>'

function contentOf({ file }: Sealed, page = 0): string {
  const contents = file.resolve(file.page(page).dict.entries.get('Contents'))
  const streams = contents.kind === 'array' ? contents.items.map((item) => file.resolve(item)) : [contents]
  return streams.map((stream) => (stream.kind === 'stream' ? file.decode(stream)?.toString('latin1') : '')).join('\n')
}

function pageEntry({ file }: Sealed, key: string, page = 0): PdfValue {
  return file.resolve(file.page(page).dict.entries.get(key))
}

describe.each<[string, SimpleOptions]>([
  ['a table', { kind: 'table' }],
  ['a cross-reference stream', { kind: 'stream' }],
  ['bytes before the header and offsets from the file', { prefix: 'junk\n' }],
  ['bytes before the header, offsets from there and a table', { prefix: 'junk\n', fromHeader: true }],
  ['a newline before the header, offsets from there and a table', { prefix: '\n', fromHeader: true }],
  [
    'a newline before the header and offsets from there',
    { prefix: '\r\n', fromHeader: true, kind: 'stream', header: '%PDF-1.7\n\n', blank: '\n' },
  ],
  ['bytes before the header and offsets from there', { prefix: 'junk\n', fromHeader: true, kind: 'stream' }],
])('the increment of a document with %s', (_, options) => {
  const original = simplePdf({ trailer: '/Info 5 0 R/ID[<0a><0b>]', ...options })

  test('is appended and can be read', () => {
    const sealed = seal(original)
    readEverything(sealed.file)
    expect(sealed.file.xrefKind).toBe(sealed.plan.xrefKind)
    expect(sealed.file.base).toBe(sealed.plan.base)
    expect(contentOf(sealed)).toContain('/Artifact BMC q 1 0 0 1 20.5 30 cm /SealwrightSeal0 Do Q EMC')
  })

  test('copies the required trailer entries and no others', () => {
    const { file, plan } = seal(original)
    const keys = [...file.trailer.entries.keys()].filter((key) => !['Type', 'W', 'Index', 'Filter', 'Length'].includes(key))
    expect(keys.toSorted()).toEqual(['ID', 'Info', 'Prev', 'Root', 'Size'])
    expect(raw(file.trailer, 'Info')).toBe('5 0 R')
    expect(raw(file.trailer, 'ID')).toMatch(/^\[<0a><[0-9a-f]{32}>\]$/)
    expect(raw(file.trailer, 'Prev')).toBe(String(plan.startxref))
  })

  test('has a signature dictionary whose byte range leaves out only the gap', () => {
    const sealed = seal(original)
    const { increment, bytes } = sealed
    const signature = dictOf(sealed.file.resolve(widgetOf(sealed).entries.get('V')))
    expect(raw(signature, 'Filter')).toBe('/Adobe.PPKLite')
    const range = raw(signature, 'ByteRange')!.match(/\d+/g)!.map(Number)
    expect(range).toEqual([0, increment.gapStart, increment.gapEnd, bytes.length - increment.gapEnd])
    expect(bytes.toString('latin1', increment.gapStart, increment.gapEnd)).toBe(`<${'0'.repeat(200)}>`)
    const contents = signature.entries.get('Contents')!
    expect(rawOf(contents)).toEqual(bytes.subarray(increment.gapStart, increment.gapEnd))
  })

  test('is the same for the same input', () => {
    expect(seal(original).increment.bytes.equals(seal(original).increment.bytes)).toBe(true)
    expect(seal(original, { documentIdSeed: Buffer.from('other') }).increment.bytes.equals(seal(original).increment.bytes)).toBe(
      false,
    )
  })
})

describe('the cross-reference table of an increment', () => {
  test('has rows of 20 bytes in runs of consecutive numbers, each row at its object', () => {
    const { bytes, original } = seal(simplePdf())
    const added = bytes.subarray(original.length).toString('latin1')
    const table = /xref\n((?:\d+ \d+\n(?:\d{10} \d{5} n \n)+)+)trailer/.exec(added)![1]!
    const runs = [...table.matchAll(/(\d+) (\d+)\n((?:\d{10} \d{5} n \n)+)/g)].map(([, first, count, rows]) => {
      const offsets = rows!.match(/\d{10} \d{5} n \n/g)!
      expect(offsets).toHaveLength(Number(count))
      for (const [index, row] of offsets.entries()) {
        expect(row).toHaveLength(20)
        expect(bytes.toString('latin1', Number(row.slice(0, 10))).startsWith(`${Number(first) + index} 0 obj\n`)).toBe(true)
      }
      return [Number(first), Number(first) + Number(count)] as const
    })
    expect(runs.map(([first]) => first)).toEqual([1, 3, 6])
  })

  test('keeps generation numbers', () => {
    const builder = simpleBuilder()
    builder.entries.delete(3)
    builder.object(2, '<</Type/Pages/Kids[3 7 R]/Count 1>>').object(3, '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>', 7)
    const sealed = seal(builder.table('/Root 1 0 R').bytes())
    expect(sealed.file.page(0)).toMatchObject({ num: 3, gen: 7 })
    expect(contentOf(sealed)).toContain('/SealwrightSeal0 Do')
    expect(raw(widgetOf(sealed), 'P')).toBe('3 7 R')
  })

  test('starts on a line of its own', () => {
    const { increment } = seal(simplePdf().subarray(0, -1))
    expect(increment.bytes.toString('latin1', 0, 9)).toMatch(/^\n\d 0 obj\n$/)
    expect(seal(simplePdf()).increment.bytes.toString('latin1', 0, 8)).toMatch(/^\d 0 obj\n$/)
  })

  test('adds a file identifier when the document has none', () => {
    expect(raw(seal(simplePdf()).file.trailer, 'ID')).toMatch(/^\[<([0-9a-f]{32})><\1>\]$/)
  })

  test('writes members of object streams as plain objects', () => {
    const builder = new PdfBuilder().stream(4, '', 'q Q').objectStream(
      9,
      new Map([
        [1, '<</Type/Catalog/Pages 2 0 R/AcroForm 5 0 R>>'],
        [2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
        [3, '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots 6 0 R/Resources 7 0 R>>'],
        [5, '<</Fields 8 0 R>>'],
        [6, '[<</Subtype/Link>>]'],
        [7, '<</XObject 10 0 R>>'],
        [8, '[]'],
        [10, '<</Im1 4 0 R>>'],
      ]),
    )
    const sealed = seal(builder.xrefStream(11, '/Root 1 0 R').bytes())
    readEverything(sealed.file)
    const annots = pageEntry(sealed, 'Annots')
    expect(rawOf(annots).toString()).toBe('[<</Subtype/Link>>\n12 0 R]')
    expect(sealed.file.page(0).dict.entries.get('Annots')).toMatchObject({ kind: 'ref', num: 6 })
    const xobjects = dictOf(sealed.file.resolve(dictOf(pageEntry(sealed, 'Resources')).entries.get('XObject')))
    expect([...xobjects.entries.keys()]).toEqual(['Im1', 'SealwrightSeal0'])
    expect(rawOf(sealed.file.get(10)).toString()).toBe('<</Im1 4 0 R>>')
  })
})

describe('seals in page content', () => {
  test('follow the content, whose streams stay unchanged', () => {
    const sealed = seal(simplePdf({ content: 'Q 5 0 0 5 0 0 cm' }))
    expect(rawOf(pageEntry(sealed, 'Contents')).toString()).toMatch(/^\[\d+ 0 R 4 0 R\n\d+ 0 R\]$/)
    expect(contentOf(sealed)).toBe(
      'q q \n\nQ 5 0 0 5 0 0 cm\n\nQ \n/Artifact BMC q 1 0 0 1 20.5 30 cm /SealwrightSeal0 Do Q EMC\n',
    )
  })

  test('do not change inherited and shared resources of other pages', () => {
    const builder = new PdfBuilder().object(1, '<</Type/Catalog/Pages 2 0 R>>')
    builder.object(2, '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/Resources 5 0 R>>').object(5, '<</Font<</F1 6 0 R>>>>')
    for (const num of [3, 4]) builder.object(num, '<</Type/Page/Parent 2 0 R/Mine (\\)kept)>>')
    const sealed = seal(builder.object(6, '<<>>').table('/Root 1 0 R').bytes())
    expect([...dictOf(pageEntry(sealed, 'Resources')).entries.keys()]).toEqual(['Font', 'XObject'])
    expect(raw(sealed.file.page(0).dict, 'Mine')).toBe('(\\)kept)')
    expect(rawOf(sealed.file.get(5)).toString()).toBe('<</Font<</F1 6 0 R>>>>')
    expect(sealed.file.page(1).dict.entries.has('Resources')).toBe(false)
  })

  test('can be on several pages, several on one page, and one form in several places', () => {
    const builder = new PdfBuilder().object(1, '<</Type/Catalog/Pages 2 0 R>>')
    builder.object(2, '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>')
    for (const num of [3, 4, 5]) builder.object(num, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[(own)]>>')
    const placements = [
      AT,
      { ...AT, form: 1 },
      { ...AT, page: 1 },
      { ...AT, form: 1, page: 1, matrix: [0, 1, -1, 0, 7, 7] as const },
      AT,
    ]
    const sealed = seal(builder.table('/Root 1 0 R').bytes(), { forms: [form, form, form], placements }, [0, 1])
    readEverything(sealed.file)
    expect(contentOf(sealed, 1)).toContain('q 0 1 -1 0 7 7 cm /SealwrightSeal1 Do Q')
    const names = [0, 1].map((page) => raw(dictOf(pageEntry(sealed, 'Resources', page)), 'XObject'))
    expect(names[0]).toBe(names[1])
    expect(names[0]).toMatch(/^<<\/SealwrightSeal0 \d+ 0 R\n\/SealwrightSeal1 \d+ 0 R\n>>$/)
    expect([0, 1, 2].map((page) => rawOf(pageEntry(sealed, 'Annots', page)).toString())).toEqual([
      '[(own)\n]',
      '[(own)\n]',
      '[(own)\n6 0 R]',
    ])
    const forms = [...sealed.file.objectNumbers()].filter((num) => rawOf(sealed.file.get(num)).includes('/Subtype/Form/'))
    expect(forms).toHaveLength(2)
  })

  test('come with a hidden field on the last page', () => {
    const sealed = seal(simplePdf(), { fieldDescription: 'Zoë (a)' })
    const widget = widgetOf(sealed)
    expect(['Rect', 'F', 'AP', 'P'].map((key) => raw(widget, key))).toEqual(['[0 0 0 0]', '132', undefined, '3 0 R'])
    const description = widget.entries.get('TU')
    expect(description?.kind === 'string' && textOf(description)).toBe('Zoë (a)')
    expect(rawOf(pageEntry(sealed, 'Annots')).toString()).toBe('[6 0 R]')
  })

  test('are refused on pages that the plan does not have, and without a form', () => {
    const at = (placement: Placement) => () => seal(simplePdf(), { placements: [placement] })
    expect(at({ ...AT, page: 1 })).toThrow('the plan does not have page 1')
    expect(at({ ...AT, form: 1 })).toThrow('there is no form 1')
    expect(at({ ...AT, matrix: [1, 0, 0, 1, Number.NaN, 0] })).toThrow(RangeError)
    expect(() => seal(simplePdf(), {}, [])).toThrow('the plan has no drawing for page 0')
  })
})

describe('seals in the signature field', () => {
  const placements = [AT, { ...AT, matrix: [1, 1, 1, -1, 100, 40] as const }]

  test('are its appearance in the user space of the page, whose content stays unchanged', () => {
    const sealed = seal(simplePdf({ catalog: SIGNED }), { placements })
    const widget = widgetOf(sealed)
    expect(raw(widget, 'Rect')).toBe('[20.5 10 220 130]')
    const appearance = sealed.file.resolve(dictOf(sealed.file.resolve(widget.entries.get('AP'))).entries.get('N'))
    expect(raw(dictOf(appearance), 'BBox')).toBe('[20.5 10 220 130]')
    const drawn = appearance.kind === 'stream' ? sealed.file.decode(appearance)?.toString() : ''
    expect(drawn).toMatch(
      /^\/Artifact BMC q 1 0 0 1 20.5 30 cm \/Seal0 Do Q EMC\n\/Artifact BMC q 1 1 1 -1 100 40 cm \/Seal0 Do Q EMC\n$/,
    )
    expect(contentOf(sealed)).not.toContain('Do')
    expect(raw(sealed.file.page(0).dict, 'Contents')).toBe('4 0 R')
    expect(raw(sealed.file.page(0).dict, 'Resources')).toBe('<</Font<</F1 5 0 R>>>>')
  })

  test('change only the array of annotations where that is an object of its own', () => {
    const { file, increment } = seal(simplePdf({ catalog: SIGNED, page: '/Annots 6 0 R', objects: ['[]'] }))
    expect(increment.bytes.includes('\n3 0 obj')).toBe(false)
    expect(rawOf(file.get(6)).toString()).toBe('[7 0 R]')
  })

  test('write an array that is both fields and annotations only once', () => {
    const objects = ['[7 0 R]', '<</FT/Sig/T(a)/V<</Type/Sig>>/Subtype/Widget>>']
    const sealed = seal(simplePdf({ catalog: '/AcroForm<</Fields 6 0 R/SigFlags 3>>', page: '/Annots 6 0 R', objects }))
    expect(rawOf(sealed.file.get(6)).toString()).toBe('[7 0 R\n8 0 R]')
    readEverything(sealed.file)
  })

  test('can be none: then the field is hidden', () => {
    const sealed = seal(simplePdf({ catalog: SIGNED }), { placements: [] }, [])
    expect(raw(widgetOf(sealed), 'Rect')).toBe('[0 0 0 0]')
    expect(widgetOf(sealed).entries.has('AP')).toBe(false)
  })

  test('must be on one page', () => {
    expect(() => seal(simplePdf({ catalog: SIGNED }), { placements: [AT, { ...AT, page: 1 }] })).toThrow('on one page')
  })
})

test('a sealed document can be sealed again, in its field', () => {
  const once = seal(simplePdf())
  const twice = seal(once.bytes)
  expect(twice.plan).toMatchObject({ signatures: 1, fieldName: 'Sealwright2' })
  expect(new Set([...walkFields(twice.file)].map((field) => field.partialName))).toEqual(new Set(['Sealwright', 'Sealwright2']))
  expect(twice.bytes.subarray(0, once.bytes.length).equals(once.bytes)).toBe(true)
})
