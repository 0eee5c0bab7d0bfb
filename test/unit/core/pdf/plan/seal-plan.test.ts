import { describe, expect, test } from 'vitest'
import { needsOnePage, readSealPlan, type SealPlan, plannedPage } from '#core/pdf/plan/seal-plan.ts'
import type { PlannedPage } from '#core/pdf/plan/plan-page.ts'
import { openBytes, refusalOf } from '../../../../support/judges/open-pdf.ts'
import { PdfBuilder, simpleBuilder, simplePdf, type SimpleOptions } from '../../../../support/builders/pdf-builder.ts'

function planOf(options: SimpleOptions, pages: readonly number[] = [0]): SealPlan {
  return readSealPlan(openBytes(simplePdf(options)), pages)
}

function pageOf(options: SimpleOptions): PlannedPage {
  return plannedPage(planOf(options), 0)
}

function plain(piece: string | null | undefined): string | undefined {
  return typeof piece === 'string' ? Buffer.from(piece, 'base64').toString('latin1') : undefined
}

/** The changed bodies of catalog, form and field list, by object number. */
function updatesOf(options: SimpleOptions): Record<number, string> {
  return Object.fromEntries(planOf(options).formUpdates.map(({ num, body }) => [num, plain(body)!.replaceAll('\n', '')]))
}

const PADES = '/Extensions <</ESIC <</BaseVersion/1.7/ExtensionLevel 2>>>>'

describe('a seal plan', () => {
  test('has what the increment needs, and survives JSON', () => {
    const bytes = simplePdf({ trailer: '/Info 5 0 R/ID[<aa><bb>]/Encrypt null' })
    const plan = readSealPlan(openBytes(bytes), [0])
    expect(plan).toMatchObject({
      length: bytes.length,
      endsWithNewline: true,
      base: 0,
      xrefKind: 'table',
      size: 6,
      pageCount: 1,
      signatures: 0,
    })
    expect([plan.root, plan.info, plan.fileId].map(plain)).toEqual(['1 0 R', '5 0 R', '<aa>'])
    expect(bytes.toString('latin1', plan.startxref, plan.startxref + 4)).toBe('xref')
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
  })

  test('works without /Info and /ID, accepts an indirect /ID, and notices a missing newline', () => {
    expect(planOf({})).toMatchObject({ info: null, fileId: null })
    expect(plain(planOf({ trailer: '/ID 6 0 R', objects: ['[7 0 R]', '(id)'] }).fileId)).toBe('(id)')
    expect(readSealPlan(openBytes(simplePdf().subarray(0, -1)), [])).toMatchObject({ endsWithNewline: false })
  })

  test('has the requested pages, and the last one, which is not read for drawing', () => {
    const builder = new PdfBuilder().object(1, '<</Type/Catalog/Pages 2 0 R>>')
    builder.object(2, '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>')
    for (const num of [3, 4, 5]) builder.object(num, `<</Type/Page/Parent 2 0 R/Contents ${num === 5 ? 1 : 99} 0 R>>`)
    const file = openBytes(builder.table('/Root 1 0 R').bytes())
    const plan = readSealPlan(file, [1, 0, 1])
    expect(plan.pages.map(({ index, num, drawing }) => [index, num, drawing !== null])).toEqual([
      [0, 3, true],
      [1, 4, true],
      [2, 5, false],
    ])
    expect(() => plannedPage(plan, 3)).toThrow(RangeError)
    expect(() => readSealPlan(file, [3])).toThrow(RangeError)
    expect(refusalOf(() => readSealPlan(file, [2]))).toBe('DOCUMENT_INVALID: the content of a page is damaged')
  })

  test('is refused when it would be too large', () => {
    const large = `/Mine(${'x'.repeat(5 * 1024 * 1024)})`
    expect(refusalOf(() => planOf({ page: large }))).toBe('DOCUMENT_TOO_COMPLEX: its pages or forms contain too much data')
    expect(refusalOf(() => planOf({ catalog: large }))).toMatch(/^DOCUMENT_TOO_COMPLEX/)
  })
})

describe('a page', () => {
  test('is split into unchanged and replaceable entries', () => {
    const page = pageOf({
      page: '/Resources 6 0 R/Annots[<</Subtype/Link>>]/Tabs/S',
      objects: ['<</Font<</F1  5 0 R>>/XObject<</Im#201 4 0 R>>>>'],
    })
    expect(plain(page.unchanged)).toBe('/Type /Page\n/Parent 2 0 R\n/MediaBox [0 0 200 200]\n/Tabs /S\n')
    expect(plain(page.replaceable)).toBe('/Contents 4 0 R\n/Resources 6 0 R\n')
    expect(plain(page.annots)).toBe('<</Subtype/Link>>\n')
    expect(page.annotsObject).toBeNull()
    expect(plain(page.drawing?.resources)).toBe('/Font <</F1  5 0 R>>\n')
    expect(plain(page.drawing?.xobjects)).toBe('/Im#201 4 0 R\n')
    expect(plain(page.drawing?.contents)).toBe('4 0 R\n')
  })

  test('includes inherited resources', () => {
    const page = pageOf({ pages: '/Resources<</Font<</F9 5 0 R>>>>', page: '' })
    expect(plain(page.drawing?.resources)).toBe('/Font <</F9 5 0 R>>\n')
    expect(plain(page.replaceable)).toBe('/Contents 4 0 R\n')
  })

  test('names the object that holds its annotations', () => {
    const page = pageOf({ page: '/Annots 6 0 R', objects: ['[4 0 R]'] })
    expect(page.annotsObject).toEqual({ num: 6, gen: 0 })
    expect(plain(page.annots)).toBe('4 0 R\n')
    expect(pageOf({ page: '/Annots 99 0 R' }).annotsObject).toBeNull()
  })

  test.each([
    ['/Resources<</XObject<</Im1 4 0 R>>>>', 'SealwrightSeal'],
    ['/Resources<</XObject<</SealwrightSeal0 4 0 R>>>>', 'SealwrightSeal1x'],
    ['/Resources<</XObject<</SealwrightSeal0 4 0 R/SealwrightSeal1x 4 0 R>>>>', 'SealwrightSeal2x'],
  ])('gives seals names unlike those of %s', (page, prefix) => {
    expect(pageOf({ page }).drawing?.namePrefix).toBe(prefix)
  })

  test.each<[string, string, string]>([
    ['balanced content', 'q Q', 'q |Q '],
    ['no content', '', 'q |Q '],
    ['a missing Q', 'q q Q 5 0 0 5 0 0 cm', 'q |Q Q '],
    ['a surplus Q', 'q Q Q', 'q q |Q '],
    ['both', 'Q Q q q q', 'q q q |Q Q Q Q '],
    ['open text, path and marks', '/P BMC BT 0 0 m', 'q |n ET EMC Q '],
  ])('is drawn on in default user space after %s', (_, content, expected) => {
    const { prologue, epilogue, safe } = pageOf({ content }).drawing!
    expect(`${prologue}|${epilogue}`.replaceAll('\n', '')).toBe(expected)
    expect(safe).toBe(true)
  })

  test('joins its content streams for the scan', () => {
    const builder = simpleBuilder({ objects: ['[7 0 R 99 0 R 8 0 R]'] })
    builder.object(3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 6 0 R>>').stream(7, '', 'q').stream(8, '', 'q Q')
    const { drawing } = plannedPage(readSealPlan(openBytes(builder.table('/Root 1 0 R').bytes()), [0]), 0)
    expect(plain(drawing?.contents)).toBe('7 0 R\n99 0 R\n8 0 R\n')
    expect(drawing?.epilogue).toBe('\nQ Q \n')
  })

  test.each([
    ['the annotations of a page are damaged', { page: '/Annots 5 0 R' }],
    ['the resources of a page are damaged', { page: '/Resources[]' }],
    ['a page has the same key twice', { page: '/Annots[]/Annots[5 0 R]' }],
  ])('is refused: %s (%j)', (reason, options) => {
    expect(refusalOf(() => planOf(options))).toBe(`DOCUMENT_INVALID: ${reason}`)
  })

  test.each([
    ['an array of arrays', '[[4 0 R]]', 'the content of a page is damaged'],
    ['an image', '7 0 R', 'the content of a page is damaged'],
    ['a dictionary', '5 0 R', 'the content of a page is damaged'],
  ])('is refused when its content is %s', (_, contents, reason) => {
    const builder = simpleBuilder()
      .object(3, `<</Type/Page/Parent 2 0 R/Contents ${contents}>>`)
      .stream(7, '/Filter/DCTDecode', 'x')
    const file = openBytes(builder.table('/Root 1 0 R').bytes())
    expect(refusalOf(() => readSealPlan(file, [0]))).toBe(`DOCUMENT_INVALID: ${reason}`)
  })

  test('is refused when it is also the catalog', () => {
    const builder = new PdfBuilder().object(1, '<</Pages 2 0 R/Parent 2 0 R>>').object(2, '<</Kids[1 0 R]/Count 1>>')
    const file = openBytes(builder.table('/Root 1 0 R').bytes())
    expect(refusalOf(() => readSealPlan(file, []))).toBe('DOCUMENT_INVALID: one of its pages is damaged')
  })
})

describe('catalog and form', () => {
  test.each<[string, SimpleOptions, Record<number, string>]>([
    ['no form', {}, { 1: `<</Type /Catalog/Pages 2 0 R/AcroForm <</Fields [6 0 R]/SigFlags 3>>${PADES}>>` }],
    [
      'a form in the catalog',
      { catalog: '/AcroForm<</Fields[4 0 R]/DA(x)/SigFlags 1>>' },
      { 1: `<</Type /Catalog/Pages 2 0 R/AcroForm <</DA (x)/Fields [4 0 R6 0 R]/SigFlags 3>>${PADES}>>` },
    ],
    [
      'a form of its own',
      { catalog: '/AcroForm 6 0 R', objects: ['<</DA(x)>>'] },
      { 6: '<</DA (x)/Fields [7 0 R]/SigFlags 3>>', 1: `<</Type /Catalog/Pages 2 0 R/AcroForm 6 0 R${PADES}>>` },
    ],
    [
      'a list of fields of its own',
      { header: '%PDF-2.0\n', catalog: '/AcroForm 6 0 R', objects: ['<</Fields 7 0 R>>', '[4 0 R]'] },
      { 6: '<</Fields 7 0 R/SigFlags 3>>', 7: '[4 0 R8 0 R]' },
    ],
    [
      'nothing else to change',
      { header: '%PDF-2.0\n', catalog: '/AcroForm<</Fields 6 0 R/SigFlags 3>>', objects: ['[]'] },
      { 6: '[7 0 R]' },
    ],
    [
      'NeedAppearances',
      { header: '%PDF-2.0\n', catalog: '/AcroForm 6 0 R', objects: ['<</Fields 7 0 R/SigFlags 3/NeedAppearances true>>', '[]'] },
      { 6: '<</Fields 7 0 R/SigFlags 3/NeedAppearances false>>', 7: '[8 0 R]' },
    ],
    [
      'NeedAppearances with a seal in a field',
      {
        header: '%PDF-2.0\n',
        catalog: '/AcroForm 6 0 R',
        objects: ['<</Fields 7 0 R/SigFlags 3/NeedAppearances true>>', '[<</FT/Sig/V<</Type/Sig>>>>]'],
      },
      { 6: '<</Fields 7 0 R/SigFlags 3/NeedAppearances false>>', 7: '[<</FT/Sig/V<</Type/Sig>>>>8 0 R]' },
    ],
    [
      'fields that only the viewer can draw, the seal among them',
      {
        header: '%PDF-2.0\n',
        catalog: '/AcroForm 6 0 R',
        objects: [
          '<</Fields 7 0 R/SigFlags 3/NeedAppearances true>>',
          '[<</Subtype/Widget/FT/Tx/V(x)>><</FT/Sig/V<</Type/Sig>>>>]',
        ],
      },
      { 7: '[<</Subtype/Widget/FT/Tx/V(x)>><</FT/Sig/V<</Type/Sig>>>>8 0 R]' },
    ],
    [
      'the extension of PAdES',
      { catalog: '/Extensions<</ESIC<</BaseVersion/1.7/ExtensionLevel 5>>>>/AcroForm 6 0 R', objects: ['<<>>'] },
      { 6: '<</Fields [7 0 R]/SigFlags 3>>' },
    ],
    [
      'other extensions',
      { catalog: '/Extensions 7 0 R/AcroForm 6 0 R', objects: ['<<>>', '<</ADBE 1>>'] },
      {
        6: '<</Fields [8 0 R]/SigFlags 3>>',
        1: `<</Type /Catalog/Pages 2 0 R/AcroForm 6 0 R${PADES.replace('<<', '<</ADBE 1')}>>`,
      },
    ],
    [
      'version 2.0 in the catalog',
      { catalog: '/Version/2.0/AcroForm 6 0 R', objects: ['<<>>'] },
      { 6: '<</Fields [7 0 R]/SigFlags 3>>' },
    ],
  ])('change as needed with %s', (_, options, expected) => {
    expect(updatesOf(options)).toEqual(expected)
  })

  test('get a field with a name of its own', () => {
    const fields = (names: string): string => planOf({ catalog: `/AcroForm<</Fields[${names}]>>` }).fieldName
    expect(fields('<</T(Other)>>')).toBe('Sealwright')
    expect(fields('<</T(Sealwright)>><</T<FEFF005300650061006C0077007200690067006800740032>>>')).toBe('Sealwright3')
  })

  test.each(['/AcroForm<</Fields 5 0 R>>', '/AcroForm(x)'])('are refused for %s', (catalog) => {
    expect(refusalOf(() => planOf({ catalog }))).toBe('DOCUMENT_INVALID: its form is damaged')
  })
})

describe('seals must be on one page', () => {
  test.each<[string, SimpleOptions, boolean]>([
    ['never for a plain document', {}, false],
    ['not for an unsigned signature field', { catalog: '/AcroForm<</Fields[<</FT/Sig/T(a)>>]>>' }, false],
    ['when a signature is there', { catalog: '/AcroForm<</Fields[<</FT/Sig/T(a)/V<</Type/Sig>>>>]>>' }, true],
    ['when a surplus Q would undo what is drawn later', { content: '9 0 0 9 0 0 cm Q (x) Tj' }, true],
    ['when content ends inside of a string', { content: '(never closed' }, true],
    ['when more states are open than viewers take', { content: 'q '.repeat(501) }, true],
  ])('%s', (_, options, expected) => {
    expect(needsOnePage(planOf(options))).toBe(expected)
  })

  test('but not because of a page without seals', () => {
    expect(needsOnePage(planOf({ content: '(never closed' }, []))).toBe(false)
  })
})
