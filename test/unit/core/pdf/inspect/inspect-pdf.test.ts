// Which uploads are refused with which code, and which unusual but harmless ones are accepted.
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import { describe, expect, test } from 'vitest'
import {
  type Body,
  buildCompressedPdf,
  buildPdf,
  onePage,
  onePageBodies,
  type Page,
  stream,
} from '../../../../support/hostile/hostile-pdfs.ts'

const SCRIPT = '<</S/JavaScript/JS(app.alert\\(1\\))>>'

function inspect(pdf: Buffer, refuseActiveContent = true): Inspection {
  return inspectPdf(bufferSource(pdf), { refuseActiveContent })
}

function fault(code: string): unknown {
  return expect.objectContaining({ name: 'PdfError', code, message: expect.stringMatching(/^The document .+\.$/) })
}

/** A link annotation with this action on the page. */
function link(action: string): Page {
  return { page: `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A${action}>>]` }
}

/** A signature field with this signature dictionary and further field entries. */
function signed(signature: string, field = ''): Page {
  return {
    catalog: '/AcroForm<</Fields[6 0 R]/SigFlags 3>>',
    objects: [
      `<</FT/Sig/T(s)/V 7 0 R${field}>>`,
      `<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>${signature}>>`,
    ],
  }
}

function certified(parameters: string): string {
  return `/Reference[<</Type/SigRef/TransformMethod/DocMDP${parameters}>>]`
}

function fieldLock(parameters: string): string {
  return `/Reference[<</Type/SigRef/TransformMethod/FieldMDP/TransformParams<<${parameters}>>>>]`
}

describe('a document that cannot be read', () => {
  const broken: [string, Buffer][] = [
    ['an empty file', Buffer.alloc(0)],
    ['a text', Buffer.from('Dear Sir or Madam')],
    ['a header alone', Buffer.from('%PDF-1.7\n')],
    ['no page', buildPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'])],
    ['no page tree', buildPdf(['<</Type/Catalog>>'])],
    ['a page tree in a loop', buildPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>'])],
    [
      'a /Count that lies',
      buildPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 2>>', '<</Type/Page/Parent 2 0 R>>']),
    ],
    ['a damaged object that is referred to', onePage({ page: '/B 6 0 R', objects: ['<</A('] })],
  ]

  // requirements: decisions/documents/inspected
  test.each(broken)('is refused: %s', (_, pdf) => {
    expect(() => inspect(pdf)).toThrow(fault('DOCUMENT_INVALID'))
  })

  test('is accepted when the damage is an object that nothing refers to', () => {
    expect(inspect(onePage({ objects: ['<</A('] })).pageCount).toBe(1)
  })
})

describe('a document that cannot be sealed', () => {
  const refused: [string, string, Page][] = [
    ['DOCUMENT_ENCRYPTED', 'an encrypted one', { trailer: '/Encrypt<</Filter/Standard/V 5/R 6>>' }],
    ['DOCUMENT_XFA', 'an XFA form', { catalog: '/AcroForm<</Fields[]/XFA 6 0 R>>', objects: [stream('', '<xdp/>')] }],
    [
      'DOCUMENT_XFA',
      'an XFA form in packets',
      { catalog: '/AcroForm<</Fields[]/XFA[(config)6 0 R]>>', objects: [stream('', '<xdp/>')] },
    ],
    ['DOCUMENT_XFA', 'a dynamic XFA form by its flag', { catalog: '/NeedsRendering true' }],
    ['DOCUMENT_CHANGES_LOCKED', 'certified against changes', signed(certified('/TransformParams<</P 1>>'))],
    [
      'DOCUMENT_CHANGES_LOCKED',
      'certified by way of /Perms',
      {
        catalog: '/Perms<</DocMDP 6 0 R>>',
        objects: [`<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>${certified('/TransformParams<</P 1>>')}>>`],
      },
    ],
    ['DOCUMENT_CHANGES_LOCKED', 'with all its fields locked', signed(fieldLock('/Action/All'))],
    ['DOCUMENT_CHANGES_LOCKED', 'with all its fields locked but some', signed(fieldLock('/Action/Exclude/Fields[(a)]'))],
    ['DOCUMENT_CHANGES_LOCKED', 'locked by a signed field', signed('', '/Lock<</Type/SigFieldLock/Action/All/P 1>>')],
  ]

  // requirements: decisions/documents/inspected
  test.each(refused)('is refused with %s: %s', (code, _, page) => {
    expect(() => inspect(onePage(page))).toThrow(fault(code))
  })

  const accepted: [string, Page, number, 2 | 3 | null][] = [
    ['without a signature', {}, 0, null],
    ['with a signature', signed(''), 1, null],
    ['with some of its fields locked', signed(fieldLock('/Action/Include/Fields[(a)]')), 1, null],
    ['certified for form filling', signed(certified('/TransformParams<</P 2>>')), 1, 2],
    ['certified without a level, which means form filling', signed(certified('')), 1, 2],
    ['certified for annotations', signed(certified('/TransformParams<</P 3>>')), 1, 3],
    [
      'with a lock on a field that is not signed',
      { catalog: '/AcroForm<</Fields[6 0 R]>>', objects: ['<</FT/Sig/T(s)/Lock<</P 1>>>>'] },
      0,
      null,
    ],
  ]

  test.each(accepted)('is another thing than one %s', (_, page, signatures, certification) => {
    expect(inspect(onePage(page))).toMatchObject({ signatures, certification })
  })
})

const ACTIVE: [string, Page][] = [
  ['a script when it opens', { catalog: `/OpenAction${SCRIPT}` }],
  ['a script in the name tree', { catalog: `/Names<</JavaScript<</Names[(a)${SCRIPT}]>>>>` }],
  ['a script on an event of a page', { page: `/AA<</O${SCRIPT}>>` }],
  ['a script behind a link', link(SCRIPT)],
  ['a script after another action', link(`<</S/GoTo/D[3 0 R/Fit]/Next[${SCRIPT}]>>`)],
  ['a script in a stream', { ...link('<</S/JavaScript/JS 6 0 R>>'), objects: [stream('', 'app.alert(1)')] }],
  ['a script under a name with escapes', link('<</#53/J#61vaScript>>')],
  ['a script under an indirect name', { ...link('<</S 6 0 R>>'), objects: ['/JavaScript'] }],
  ['a script without the type of an action', { objects: ['<</JS(app.alert\\(1\\))>>'] }],
  ['a script that nothing refers to', { objects: [SCRIPT] }],
  ['a script deep in arrays', { objects: [`[[[[[<</A[${SCRIPT}]>>]]]]]`] }],
  ['a script in a stream dictionary', { objects: [stream(`/X${SCRIPT}`, '')] }],
  ['a script in one of two entries of the same key', link('<</S/JavaScript/S/URI/URI(https://example.com)>>')],
  ['a script with a name in escapes in one of two entries', link(`<</Next<</S/Java#53cript>>/Next<</S/GoTo>>>>`)],
  ['a script of a 3D picture', { objects: [stream('/Type/3D/Subtype/U3D/OnInstantiate 7 0 R', ''), stream('', 'x')] }],
  ['an action that starts a program', link('<</S/Launch/F(calc.exe)>>')],
  ['an action that submits a form', link('<</S/SubmitForm/F(https://example.com)>>')],
  ['an action that imports data', link('<</S/ImportData/F(data.fdf)>>')],
  ['rich media', { page: '/Annots[<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]>>]' }],
  ['a film', { page: '/Annots[<</Type/Annot/Subtype/Movie/Rect[0 0 9 9]>>]' }],
  ['a sound', link('<</S/Sound/Sound 6 0 R>>')],
  ['a rendition', link('<</S/Rendition/OP 0>>')],
  ['an address that opens without a click', { catalog: '/OpenAction<</S/URI/URI(https://example.com)>>' }],
  ['another file that opens with a page', { page: '/AA<</O<</S/GoToR/F(\\\\\\\\host\\\\share)/D[0/Fit]>>>>' }],
  ['an embedded file that opens without a click', { catalog: '/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next<</S/GoToE/T<<>>>>>>' }],
  ['an endless row of actions', { catalog: '/OpenAction 6 0 R', objects: ['<</S/GoTo/Next[6 0 R 6 0 R]>>'] }],
  ['a stream outside of the file', { objects: [stream('/F(http://example.com/a)', '')] }],
  ['a form that shows another file', { objects: [stream('/Type/XObject/Subtype/Form/Ref<</F(other.pdf)/Page 0>>', '')] }],
]

describe('active content', () => {
  // requirements: decisions/documents/inspected
  test.each(ACTIVE)('is refused: %s', (_, page) => {
    expect(() => inspect(onePage(page))).toThrow(fault('DOCUMENT_ACTIVE_CONTENT'))
  })

  test.each(ACTIVE)('is refused in object streams: %s', (_, page) => {
    expect(() => inspect(buildCompressedPdf(onePageBodies(page)))).toThrow(fault('DOCUMENT_ACTIVE_CONTENT'))
  })

  test.each(ACTIVE)('is accepted where the installation allows it: %s', (_, page) => {
    expect(inspect(onePage(page), false).pageCount).toBe(1)
  })

  const harmless: [string, Page][] = [
    ['a link to an address', link('<</S/URI/URI(https://example.com)>>')],
    ['a link to another file', link('<</S/GoToR/F(annex.pdf)/D[0/Fit]>>')],
    ['a place to open at', { catalog: '/OpenAction[3 0 R/Fit]' }],
    ['a place to open at as an action', { catalog: '/OpenAction<</S/GoTo/D[3 0 R/Fit]>>' }],
    ['an event that turns the page', { page: '/AA<</O<</S/Named/N/NextPage>>>>' }],
    [
      'an attached file',
      {
        catalog: '/Names<</EmbeddedFiles<</Names[(a)6 0 R]>>>>',
        objects: ['<</Type/Filespec/F(a.txt)/EF<</F 7 0 R>>>>', stream('/Type/EmbeddedFile', 'app.alert(1)')],
      },
    ],
    [
      'a script that is mere text',
      { content: stream('', 'BT /F1 9 Tf (/S /JavaScript /JS) Tj ET'), page: '/Note(/S/JavaScript)' },
    ],
    ['a filter under a shortened key', { objects: [stream('/F/FlateDecode', '')] }],
    ['an empty tree of scripts', { catalog: '/Names<</JavaScript<</Names[]>>>>' }],
    ['an animation of pages', { page: '/Trans<</S/Split>>' }],
    ['names that only begin like the refused ones', { objects: ['<</S/JavaScripts/T/Launcher/T/Launchpad>>'] }],
  ]

  test.each(harmless)('is not: %s', (_, page) => {
    expect(inspect(onePage(page)).pageCount).toBe(1)
  })
})

describe('the stored inspection of an accepted document', () => {
  test('has the pages with markers and the last page, ready for drawing', () => {
    const pages = Array.from({ length: 4 }, (_, index) => index)
    const bodies: Body[] = [
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Count 4/Kids[${pages.map((page) => `${page + 4} 0 R`).join(' ')}]/MediaBox[0 0 200 200]/Resources<</Font<</F1 3 0 R>>>>>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ...pages.map((page) => `<</Type/Page/Parent 2 0 R${page === 1 ? '/Contents 8 0 R' : ''}>>`),
      stream('', 'BT /F1 10 Tf 20 30 Td ({{signer2}}) Tj ET'),
    ]
    const inspection = inspect(buildPdf(bodies))
    expect(inspection).toMatchObject({
      pageCount: 4,
      markers: [{ signOrder: 2, page: 1, x: 20, y: 30, angle: 0, height: 10 }],
      signatures: 0,
      certification: null,
    })
    expect(inspection.plan.pages.map(({ index, drawing }) => [index, drawing?.safe])).toEqual([
      [1, true],
      [3, true],
    ])
    expect(structuredClone(inspection)).toEqual(JSON.parse(JSON.stringify(inspection)))
  })
})
