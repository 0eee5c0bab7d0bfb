// Content that is refused because it runs, fetches, or does not look the same everywhere, and what only resembles it.
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import { describe, expect, test } from 'vitest'
import {
  type Body,
  buildCompressedPdf,
  onePage,
  onePageBodies,
  type Page,
  stream,
} from '../../../../support/hostile/hostile-pdfs.ts'

const SCRIPT = '<</S/JavaScript/JS(app.alert\\(1\\))>>'

function inspect(pdf: Buffer, refuseActiveContent = true): Inspection {
  return inspectPdf(bufferSource(pdf), { refuseActiveContent })
}

function activeContent(): unknown {
  const message = expect.stringMatching(/^The document contains .+ print it to a PDF file and upload that file\.$/)
  return expect.objectContaining({ name: 'PdfError', code: 'DOCUMENT_ACTIVE_CONTENT', message })
}

/** A link annotation with this action on the page. */
function link(action: string): Page {
  return { page: `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A${action}>>]` }
}

/** A layer in object 6, used by the page, with these entries of its own, in the configuration and of its use. */
function layer({ usage = '', config = '', use = '6 0 R' }: { usage?: string; config?: string; use?: string }): Page {
  return {
    catalog: `/OCProperties<</OCGs[6 0 R]/D<<${config}>>>>`,
    resources: `/Properties<</L ${use}>>`,
    content: stream('', '/OC /L BDC 0 0 9 9 re f EMC'),
    objects: [`<</Type/OCG/Name(Layer)${usage}>>`],
  }
}

/** An annotation on the page with the appearance in object 6. */
function annotation(entries: string, appearance = '0 0 9 9 re f'): Page {
  return {
    page: `/Annots[<</Type/Annot/Rect[0 0 9 9]/AP<</N 6 0 R>>${entries}>>]`,
    objects: [stream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', appearance)],
  }
}

const FUNCTION = '<</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[0]>>'

/** A page with this graphics state in object 6; object 7 is a function. */
function graphicsState(entries: string): Page {
  return { resources: '/ExtGState<</G 6 0 R>>', objects: [`<<${entries}>>`, FUNCTION] }
}

/** Object 6 uses what object 7 holds, a graphics state with a transfer function. */
function usedBy(resources: string, body: (inner: string) => Body, page = ''): Page {
  return { resources, page, objects: [body('/Resources<</ExtGState<</G 7 0 R>>>>'), '<</TR 8 0 R>>', FUNCTION] }
}

const image = (entries: string): Body =>
  stream(`/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8${entries}`, 'x')
const drawn = (body: Body): Page => ({ resources: '/XObject<</X 6 0 R>>', objects: [body, image('')] })

/** With the page and the object that the refusal names. */
const FOR_PRINTERS: [string, Page, number][] = [
  ['a transfer function', graphicsState('/Type/ExtGState/TR 7 0 R'), 6],
  ['a transfer function for one colour', graphicsState('/TR[/Identity/Identity 7 0 R/Identity]'), 6],
  ['a later transfer function', graphicsState('/TR/Identity/TR2 7 0 R'), 6],
  ['a halftone', graphicsState('/HT<</HalftoneType 1/Frequency 60/Angle 45/SpotFunction/Round/TransferFunction 7 0 R>>'), 6],
  ['a black generation function', graphicsState('/BG 7 0 R'), 6],
  ['a later black generation function', graphicsState('/BG2 7 0 R'), 6],
  ['an undercolour removal function', graphicsState('/UCR 7 0 R'), 6],
  ['a later undercolour removal function', graphicsState('/UCR2 7 0 R'), 6],
  ['a transfer function in the page itself', { resources: '/ExtGState<</G<</TR 6 0 R>>>>', objects: [FUNCTION] }, 3],
  ['one in a form', usedBy('/XObject<</X 6 0 R>>', (inner) => stream(`/Subtype/Form${inner}`, '/G gs')), 7],
  ['one in a pattern', usedBy('/Pattern<</P 6 0 R>>', (inner) => stream(`/PatternType 1${inner}`, '/G gs')), 7],
  ['one of a shading pattern', usedBy('/Pattern<</P 6 0 R>>', () => '<</PatternType 2/ExtGState 7 0 R>>'), 7],
  [
    'one in a soft mask',
    usedBy('/ExtGState<</M<</SMask<</S/Luminosity/G 6 0 R>>>>>>', (inner) => stream(`/Subtype/Form${inner}`, '')),
    7,
  ],
  ['one in a Type 3 font', usedBy('/Font<</T 6 0 R>>', (inner) => `<</Subtype/Type3/CharProcs<<>>${inner}>>`), 7],
  [
    'one in an appearance',
    usedBy(
      '',
      (inner) => stream(`/Subtype/Form${inner}`, '0 0 9 9 re f'),
      '/Annots[<</Subtype/Stamp/F 4/Rect[0 0 9 9]/AP<</N 6 0 R>>>>]',
    ),
    7,
  ],
  ['an image with another one for printing', drawn(image('/Alternates[<</Image 7 0 R/DefaultForPrinting true>>]')), 6],
  ['PostScript', drawn(stream('/Type/XObject/Subtype/PS', 'showpage')), 6],
  ['a form that is PostScript', drawn(stream('/Type/XObject/Subtype/Form/Subtype2/PS', '')), 6],
  ['a form with PostScript', drawn(stream('/Type/XObject/Subtype/Form/PS 7 0 R', '')), 6],
]

const ACTIVE: [string, Page][] = [
  ...FOR_PRINTERS.map(([name, page]): [string, Page] => [name, page]),
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
  ['a sound', link('<</S/Sound/Sound<<>>>>')],
  ['a rendition', link('<</S/Rendition/OP 0>>')],
  ['an address that opens without a click', { catalog: '/OpenAction<</S/URI/URI(https://example.com)>>' }],
  ['another file that opens with a page', { page: '/AA<</O<</S/GoToR/F(\\\\\\\\host\\\\share)/D[0/Fit]>>>>' }],
  ['an embedded file that opens without a click', { catalog: '/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next<</S/GoToE/T<<>>>>>>' }],
  ['an endless row of actions', { catalog: '/OpenAction 6 0 R', objects: ['<</S/GoTo/Next[6 0 R 6 0 R]>>'] }],
  ['a stream outside of the file', { objects: [stream('/F(http://example.com/a)', '')] }],
  ['a layer that is switched off', layer({ config: '/OFF[6 0 R]' })],
  ['a layer that is off like all others', layer({ config: '/BaseState/OFF' })],
  ['a layer in a configuration of two minds', layer({ config: '/OFF[6 0 R]/OFF[]' })],
  ['a layer that does not print', layer({ usage: '/Usage<</Print<</PrintState/OFF>>/View<</ViewState/ON>>>>' })],
  ['a layer that only prints', layer({ usage: '/Usage<</View<</ViewState/OFF>>>>' })],
  ['a layer that is not exported', layer({ usage: '/Usage<</Export<</ExportState/OFF>>>>' })],
  ['a layer that shows at one size only', layer({ config: '/AS[<</Event/View/Category[/Zoom]/OCGs[6 0 R]>>]' })],
  ['a layer that is on where another is off', layer({ use: '<</Type/OCMD/OCGs 6 0 R/P/AllOff>>' })],
  ['a group of layers with one that is off', layer({ config: '/OFF[6 0 R]', use: '<</Type/OCMD/OCGs[6 0 R]>>' })],
  ['a layer that an expression turns round', layer({ use: '<</Type/OCMD/VE[/And[/Not 6 0 R]]>>' })],
  [
    'an annotation on a layer that is off',
    { ...layer({ config: '/OFF[6 0 R]' }), page: '/Annots[<</Subtype/Highlight/F 4/Rect[0 0 9 9]/OC 6 0 R>>]' },
  ],
  ['a portfolio', { catalog: '/Collection<</View/D>>' }],
  ['layers that switch when it opens', { catalog: '/OpenAction<</S/SetOCGState/State[/OFF 6 0 R]>>', objects: ['<<>>'] }],
  ['a field that hides with a page', { page: '/AA<</O<</S/Hide/T(a)>>>>' }],
  ['a form that empties when it closes', { catalog: '/AA<</WC<</S/GoTo/D[3 0 R/Fit]/Next[<</S/ResetForm>>]>>>>' }],
  ['a turn of a 3D view', { page: '/AA<</O<</S/GoTo3DView/V 0>>>>' }],
  ['a 3D annotation', { page: '/Annots[<</Subtype/3D/Rect[0 0 9 9]>>]' }],
  ['a 3D model', { objects: [stream('/Type/3D/Subtype/PRC', '')] }],
  ['a stamp that does not print', annotation('/Subtype/Stamp')],
  ['a stamp that only prints', annotation('/Subtype/Stamp/F 36')],
  ['a stamp that goes away under the pointer', annotation('/Subtype/Stamp/F 260')],
  ['a frame that the viewer draws and does not print', { page: '/Annots[<</Subtype/Highlight/Rect[0 0 9 9]>>]' }],
  ['a link with a picture that does not print', annotation('/Subtype/Link')],
  ['a filled field that does not print', annotation('/Subtype/Widget/FT/Tx/T(a)/V(1000)', '')],
  ['a field with an inherited value that only prints', annotation('/Subtype/Widget/F 36/Parent<</FT/Tx/V(1)>>', '')],
  ['an empty field with a text that does not print', annotation('/Subtype/Widget/FT/Tx/T(a)', 'BT (1000) Tj ET')],
  ['an empty field with a drawing that does not print', annotation('/Subtype/Widget/FT/Tx/T(a)', '1 1 l '.repeat(50))],
  ['a ticked box that does not print', annotation('/Subtype/Widget/FT/Btn/T(a)/V/Yes', '')],
  ['a form that shows another file', { objects: [stream('/Type/XObject/Subtype/Form/Ref<</F(other.pdf)/Page 0>>', '')] }],
]

describe('active content', () => {
  // requirements: decisions/documents/inspected, decisions/documents/two faces
  test.each(ACTIVE)('is refused: %s', (_, page) => {
    expect(() => inspect(onePage(page))).toThrow(activeContent())
  })

  test.each(ACTIVE)('is refused in object streams: %s', (_, page) => {
    expect(() => inspect(buildCompressedPdf(onePageBodies(page)))).toThrow(activeContent())
  })

  // requirements: decisions/documents/two readers
  test.each(FOR_PRINTERS)('is named with its page and object: %s', (_, page, object) => {
    expect(() => inspect(onePage(page))).toThrow(`on page 1 (object ${object}). Open it`)
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
    ['a layer that is always on', layer({})],
    ['a layer that is on by its own state', layer({ config: '/BaseState/OFF/ON[6 0 R]' })],
    [
      'a watermark with a state for each use',
      layer({
        usage: '/Usage<</Export<</ExportState/ON>>/View<</ViewState/ON>>/Print<</PrintState/ON>>/PageElement<</Subtype/BG>>>>',
        config: '/AS[<</Event/Print/Category[/Print]/OCGs[6 0 R]>>]',
      }),
    ],
    ['a layer that is off and not used', layer({ config: '/OFF[6 0 R]', use: '<<>>' })],
    ['layers that an expression joins', layer({ use: '<</Type/OCMD/OCGs[6 0 R]/P/AllOn/VE[/Or[/And 6 0 R]]>>' })],
    ['layers that a link switches', link('<</S/SetOCGState/State[/ON 6 0 R]>>')],
    ['a stamp that shows and prints', annotation('/Subtype/Stamp/F 4')],
    ['a stamp that is hidden everywhere', annotation('/Subtype/Stamp/F 2')],
    ['a stamp without an area', { page: '/Annots[<</Subtype/Stamp/Rect[5 5 5 9]>>]' }],
    ['a pop-up without flags', { page: '/Annots[<</Subtype/Popup/Rect[0 0 9 9]>>]' }],
    ['an empty field with a frame', annotation('/Subtype/Widget/FT/Tx/T(a)/V( )', '1 g 0 0 9 9 re f /Tx BMC EMC')],
    ['a box without a tick', annotation('/Subtype/Widget/FT/Btn/T(a)/V/Off', '')],
    [
      'a graphics state of defaults',
      graphicsState('/TR[/Identity/Identity/Identity/Identity]/TR2/Default/HT/Default/BG2/Default/UCR2/Default'),
    ],
    ['a transfer function that no page uses', { objects: ['<</Type/ExtGState/TR 7 0 R>>', FUNCTION] }],
    [
      'a transfer function of a soft mask',
      { resources: '/ExtGState<</M<</SMask<</S/Luminosity/TR 6 0 R>>>>>>', objects: [FUNCTION] },
    ],
    ['a graphics state that is called like an entry', { resources: '/ExtGState<</TR 6 0 R>>', objects: ['<</CA 1>>'] }],
    ['names that only begin like the refused ones', { objects: ['<</S/JavaScripts/T/Launcher/T/Launchpad>>'] }],
  ]

  test.each(harmless)('is not: %s', (_, page) => {
    expect(inspect(onePage(page)).pageCount).toBe(1)
  })
})
