// Which texts are markers, which duplicates count, and what hides markers. locate-markers.test.ts tests their positions.
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { findMarkers } from '#core/pdf/inspect/find-markers.ts'
import type { Marker } from '#core/pdf/placement/marker-text.ts'
import { openPdf } from '#core/pdf/read/pdf-file.ts'
import { describe, expect, test } from 'vitest'
import { type Body, buildPdf, deflated, onePage, type Page, stream } from '../../../../support/hostile/hostile-pdfs.ts'
import { form, IDENTITY_MARKER, WITH_FORMS } from '../../../../support/builders/marker-cases.ts'

function find(pdf: Buffer): Marker[] {
  return findMarkers(openPdf(bufferSource(pdf), newBudget(PDF_LIMITS))).markers
}

describe('no marker is', () => {
  const texts = [
    '{{signer0}}',
    '{{signer01}}',
    '{{signer1000}}',
    '{{signer}}',
    '{{Signer1}}',
    '{{signer1}',
    '{signer1}}',
    '{{signer1a}}',
    '{{signerx1}}',
  ]
  test.each(texts)('%s', (text) => {
    expect(find(onePage({ content: stream('', `BT /F1 10 Tf (${text}) Tj ET`) }))).toEqual([])
  })

  const contents: [string, Page][] = [
    ['text without a font', { content: stream('', 'BT ({{signer1}}) Tj ET') }],
    ['text in a font that the page does not name', { content: stream('', 'BT /F9 10 Tf ({{signer1}}) Tj ET') }],
    [
      'text in a font of pictures',
      {
        content: stream('', 'BT /F1 10 Tf ({{signer1}}) Tj ET'),
        resources: '/Font<</F1<</Subtype/Type1/BaseFont/ZapfDingbats>>>>',
      },
    ],
    ['a string that is not shown', { content: stream('', 'BT /F1 10 Tf /Span<</ActualText({{signer1}})>>BDC (x) Tj EMC ET') }],
    ['a string before the one that is shown', { content: stream('', 'BT /F1 10 Tf ({{signer1}}) (x) Tj ET') }],
    ['a comment', { content: stream('', 'BT /F1 10 Tf % ({{signer1}}) Tj ET') }],
    ['the data of an inline image', { content: stream('', 'BT /F1 10 Tf ET BI /W 4 /H 1 ID \x01({{signer1}}) Tj\x02 EI Q') }],
    [
      'codes without a text',
      {
        content: stream('', `BT /F1 10 Tf <${IDENTITY_MARKER}> Tj ET`),
        resources: '/Font<</F1 6 0 R>>',
        objects: ['<</Subtype/Type0/Encoding/Identity-H>>'],
      },
    ],
    ['a form that is not drawn', { resources: WITH_FORMS, objects: [form('BT /F1 10 Tf ({{signer1}}) Tj ET')] }],
    [
      'a picture with the data of a form',
      {
        content: stream('', '/X Do'),
        resources: WITH_FORMS,
        objects: [stream('/Subtype/Image', 'BT /F1 10 Tf ({{signer1}}) Tj ET')],
      },
    ],
    ['text at no number', { content: stream('', `BT /F1 10 Tf ${'9'.repeat(400)} 0 Td ({{signer1}}) Tj ET`) }],
    [
      'codes that /ToUnicode gives another text',
      {
        content: stream('', 'BT /F1 10 Tf ({{signer1}}) Tj ET'),
        resources: '/Font<</F1<</Subtype/TrueType/ToUnicode 6 0 R>>>>',
        objects: [stream('', '1 beginbfrange <00> <FF> <4E00> endbfrange')],
      },
    ],
  ]
  test.each(contents)('%s', (_, page) => {
    expect(find(onePage(page))).toEqual([])
  })
})

describe('of several markers', () => {
  test('each position counts, in drawing order', () => {
    const content = 'BT /F1 10 Tf 20 30 Td ({{signer2}}) Tj 0 20 Td ({{signer999}}) Tj 0 20 Td ({{signer2}}) Tj ET'
    expect(find(onePage({ content: stream('', content) })).map(({ signOrder, y }) => [signOrder, y])).toEqual([
      [2, 30],
      [999, 50],
      [2, 70],
    ])
  })

  test('those of one signer within the height of their text count as one: bold text, a shadow, text behind a scan', () => {
    const content = `BT /F1 20 Tf 20 30 Td ({{signer2}}) Tj ET
      BT /F1 20 Tf 20.3 30 Td ({{signer2}}) Tj ET BT /F1 20 Tf 30 45 Td ({{signer2}}) Tj ET BT /F1 20 Tf 21 31 Td ({{signer3}}) Tj ET
      BT /F1 20 Tf 20 60 Td ({{signer2}}) Tj ET`
    expect(find(onePage({ content: stream('', content) })).map(({ signOrder, x, y }) => [signOrder, x, y])).toEqual([
      [2, 20, 30],
      [3, 21, 31],
      [2, 20, 60],
    ])
  })

  test('a form that is drawn twice counts at both positions, and once at the same position', () => {
    const page = {
      resources: WITH_FORMS,
      objects: [form('BT /F1 10 Tf ({{signer1}}) Tj ET', '/Resources<</Font<</F1 5 0 R>>>>')],
    }
    const content = stream('', 'q 1 0 0 1 5 5 cm /X Do /X Do Q q 1 0 0 1 25 25 cm /X Do Q')
    expect(find(onePage({ ...page, content })).map(({ x }) => x)).toEqual([5, 25])
  })

  test('a form that uses the current font counts when that font shows its text', () => {
    const pictures = '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>'
    const content = stream('', 'q 4 0 0 4 0 0 cm /X Do Q /F2 10 Tf /X Do /F1 10 Tf q 1 0 0 1 9 9 cm /X Do Q')
    const resources = '/Font<</F1 5 0 R/F2 7 0 R>>/XObject<</X 6 0 R>>'
    const objects = [form('BT ({{signer1}}) Tj ET', '/Resources<<>>'), pictures]
    expect(find(onePage({ content, resources, objects })).map(({ x }) => x)).toEqual([9])
  })

  test('those in forms are searched 16 forms deep', () => {
    const chain = (depth: number): Body[] => [
      ...Array.from({ length: depth - 1 }, (_, level) => form('/X Do', `/Resources<</XObject<</X ${7 + level} 0 R>>>>`)),
      form('BT /F1 10 Tf ({{signer1}}) Tj ET', '/Resources<</Font<</F1 5 0 R>>>>'),
    ]
    const nested = (depth: number): Buffer =>
      onePage({ content: stream('', '/X Do'), resources: WITH_FORMS, objects: chain(depth) })
    expect([find(nested(16)).length, find(nested(17)).length]).toEqual([1, 0])
  })

  test('a form without markers is read once, however often it is drawn', () => {
    const page = {
      resources: WITH_FORMS,
      objects: [form('0 0 m', '/Resources<</Font<</F1 5 0 R>>>>')],
    }
    const content = deflated('', `BT /F1 10 Tf ({{signer1}}) Tj ET ${'/X Do '.repeat(60_000)}`)
    expect(find(onePage({ ...page, content }))).toHaveLength(1)
  })

  const column = (count: number): string => `BT /F1 9 Tf ${'0 12 Td ({{signer1}}) Tj '.repeat(count)} ET`
  test.each([
    ['a hundred', 'one more', [column(100)], [column(101)], 'page 1 has more than 100 seal markers'],
    [
      'ten thousand, most of them where others are,',
      'one more',
      ['BT /F1 9 Tf ({{signer1}}) Tj ET '.repeat(10_000)],
      ['BT /F1 9 Tf ({{signer1}}) Tj ET '.repeat(10_001)],
      'page 1 draws more than 10000 seal markers',
    ],
  ])('%s are read on a page, %s is refused', (_, __, [few], [many], reason) => {
    const read = (content = '') => find(onePage({ content: stream('', content) }))
    expect(read(few).length).toBeGreaterThan(0)
    expect(() => read(many)).toThrow(
      expect.objectContaining({ code: 'DOCUMENT_TOO_COMPLEX', message: expect.stringContaining(reason) }),
    )
  })

  test('a thousand are listed in page order, one more is refused', () => {
    const shown = (from: number): string => Array.from({ length: 50 }, (_, index) => `({{signer${from + index}}}) Tj`).join(' ')
    const documentOf = (pages: number, more: string): Buffer => {
      const numbers = Array.from({ length: pages }, (_, index) => 5 + index)
      return buildPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        `<</Type/Pages/Count ${pages}/Kids[${numbers.map((num) => `${num} 0 R`).join(' ')}]/Resources<</Font<</F1 3 0 R>>>>>>`,
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
        stream('', `BT /F1 9 Tf ${shown(1)} ${more} ET`),
        ...numbers.map(() => '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>'),
      ])
    }
    const markers = find(documentOf(20, ''))
    expect(markers).toHaveLength(1_000)
    expect(markers.at(-1)).toMatchObject({ page: 19, signOrder: 50 })
    expect(() => find(documentOf(20, '({{signer51}}) Tj'))).toThrow(
      expect.objectContaining({ code: 'DOCUMENT_TOO_COMPLEX', message: expect.stringContaining('more than 1000 seal markers') }),
    )
  })
})

describe('the content of a page', () => {
  const MARKER = 'BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET'

  test('is read across its streams', () => {
    const bodies = [stream('', 'BT /F1 10 Tf 20 30 Td [({{sig)'), stream('', '(ner1}})] TJ ET')]
    const pdf = buildPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/Contents[4 0 R 5 0 R]/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>',
      ...bodies,
    ])
    expect(find(pdf)).toMatchObject([{ x: 20, y: 30 }])
  })

  test('is charged twice when it is read again to locate a marker', () => {
    const read = (text: string, decodedBytes: number): Marker[] => {
      const pdf = onePage({ content: deflated('', text.padEnd(1_000)) })
      return findMarkers(openPdf(bufferSource(pdf), newBudget({ ...PDF_LIMITS, decodedBytes }))).markers
    }
    expect(read('n', 1_000)).toHaveLength(0)
    expect(read(MARKER, 2_000)).toHaveLength(1)
    expect(() => read(MARKER, 1_999)).toThrow(expect.objectContaining({ code: 'DOCUMENT_TOO_COMPLEX' }))
  })

  test('can be as long as the limit for one stream', () => {
    const read = (streamBytes: number): Marker[] => {
      const pdf = onePage({ content: deflated('', MARKER.padEnd(1_000)) })
      return findMarkers(openPdf(bufferSource(pdf), newBudget({ ...PDF_LIMITS, streamBytes }))).markers
    }
    expect(read(1_000)).toHaveLength(1)
    expect(() => read(999)).toThrow(expect.objectContaining({ code: 'DOCUMENT_TOO_COMPLEX' }))
  })

  const damaged: [string, Body][] = [
    ['in an unknown filter', stream('/Filter/Unknown', MARKER)],
    ['of damaged data', stream('/Filter/FlateDecode', 'no deflated data')],
    ['in an image filter', stream('/Filter/DCTDecode', MARKER)],
    ['that is not a stream', '<<>>'],
  ]
  test.each(damaged)('is skipped when it is %s', (_, content) => {
    const bodies: Body[] = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 2/Kids[4 0 R 5 0 R]/Resources<</Font<</F1 3 0 R>>>>>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/Page/Parent 2 0 R/Contents 6 0 R>>',
      '<</Type/Page/Parent 2 0 R/Contents 7 0 R>>',
      content,
      stream('', MARKER),
    ]
    expect(find(buildPdf(bodies))).toMatchObject([{ page: 1, signOrder: 1 }])
  })
})
