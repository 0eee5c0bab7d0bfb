// Which uploads are refused with which code, and which unusual but harmless ones are accepted.
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import { describe, expect, test } from 'vitest'
import { type Body, buildPdf, onePage, type Page, stream } from '../../../../support/hostile/hostile-pdfs.ts'

function inspect(pdf: Buffer, refuseActiveContent = true): Inspection {
  return inspectPdf(bufferSource(pdf), { refuseActiveContent })
}

function fault(code: string): unknown {
  return expect.objectContaining({ name: 'PdfError', code, message: expect.stringMatching(/^The document .+\.$/) })
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
