// Markers in every text encoding of PDF writers, each with its position by ISO 32000-2, 9.4.
import { type Body, deflated, onePage, type Page, stream } from '../hostile/hostile-pdfs.ts'

const TO_UNICODE = deflated(
  '',
  [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    // 3 is {, 4 is }, 5 to 14 are the digits, from 15 on s i g n e r.
    '2 beginbfchar <0003> <007B> <0004> <007D> endbfchar',
    '2 beginbfrange <0005> <000E> <0030> <000F> <0014> [<0073> <0069> <0067> <006E> <0065> <0072>] endbfrange',
    'endcmap end end',
  ].join('\n'),
)
const CID_FONT =
  '<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+Sans/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 700/W[3[400 400]5 14 550]>>'
const IDENTITY: Page = {
  resources: '/Font<</F1 6 0 R>>',
  objects: [
    '<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Sans/Encoding/Identity-H/DescendantFonts[7 0 R]/ToUnicode 8 0 R>>',
    CID_FONT,
    TO_UNICODE,
  ],
}
/** {{signer1}} in the codes of TO_UNICODE. */
export const IDENTITY_MARKER = '0003 0003 000F 0010 0011 0012 0013 0014 0006 0004 0004'.replaceAll(' ', '')

function differences(names: string): Page {
  return { resources: `/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[${names}]>>>>>>` }
}

/** A form with this content. */
export function form(content: string, entries = ''): Body {
  return stream(`/Type/XObject/Subtype/Form/BBox[0 0 500 500]${entries}`, content)
}

/** Resources with object FIRST_FREE as the form /X. */
export const WITH_FORMS = '/Font<</F1 5 0 R>>/XObject<</X 6 0 R>>'

export interface MarkerCase {
  readonly name: string
  readonly content: string
  readonly page?: Page
  /** Position, angle and height of signer 1's marker. */
  readonly at: readonly [x: number, y: number, angle?: number, height?: number]
  /** Set when pdf.js reads it differently; says how. */
  readonly alone?: string
}

export const MARKER_CASES: readonly MarkerCase[] = [
  { name: 'in one string', content: 'BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET', at: [20, 30] },
  { name: 'in kerned pieces', content: 'BT /F1 10 Tf 20 30 Td [({)20({s)-15(ig)3(ner)-9(1}}) 4] TJ ET', at: [20, 30] },
  {
    name: 'in one string for each glyph',
    content: `BT /F1 10 Tf 20 30 Td ${Array.from('{{signer1}}', (glyph) => `(${glyph}) Tj 7 0 Td`).join(' ')} ET`,
    at: [20, 30],
  },
  { name: 'in octal escapes', content: String.raw`BT /F1 10 Tf 20 30 Td (\173\173\163igner\61\175\175) Tj ET`, at: [20, 30] },
  { name: 'in hexadecimal', content: 'BT /F1 10 Tf 20 30 Td <7B7B 7369\n676E6572 317D7D> Tj ET', at: [20, 30] },
  { name: 'over a continued line', content: 'BT /F1 10 Tf 20 30 Td ({{sig\\\nner1}}) Tj ET', at: [20, 30] },
  {
    name: 'in a subset with Identity-H',
    content: `BT /F1 10 Tf 20 30 Td <${IDENTITY_MARKER}> Tj ET`,
    page: IDENTITY,
    at: [20, 30],
  },
  {
    name: 'after other glyphs of a subset with Identity-H',
    content: `BT /F1 10 Tf 20 30 Td <0001000500060007> Tj <${IDENTITY_MARKER}> Tj ET`,
    page: IDENTITY,
    at: [20 + 7 + 3 * 5.5, 30],
    alone: 'as one run',
  },
  {
    name: 'through /Differences',
    content: 'BT /F1 10 Tf 20 30 Td (\\001\\001\\002\\003\\004\\005\\006\\007\\010\\011\\011) Tj ET',
    page: differences('1/braceleft/s/i/g/n/e/r/one/braceright'),
    at: [20, 30],
  },
  {
    name: 'through names of code points',
    content: 'BT /F1 10 Tf 20 30 Td (aabcdefghii) Tj ET',
    page: differences('97/uni007B/u0073/i.alt/g/n/e/r/one.lf/uni007D'),
    at: [20, 30],
    alone: 'without names of variants',
  },
  {
    name: 'behind a glyph of a standard font that /Differences has moved',
    content: 'BT /F1 10 Tf 20 30 Td (\\003) Tj (\\001\\001\\002\\003\\004\\005\\006\\007\\010\\011\\011) Tj ET',
    page: differences('1/braceleft/s/i/g/n/e/r/one/braceright'),
    at: [20 + 2.22, 30],
    alone: 'as one run',
  },
  {
    name: 'in a column',
    content: `BT /F1 10 Tf 20 30 Td <0001> Tj <${IDENTITY_MARKER}> Tj ET`,
    page: {
      resources: '/Font<</F1 6 0 R>>',
      objects: [
        '<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Sans/Encoding/Identity-V/DescendantFonts[7 0 R]/ToUnicode 8 0 R>>',
        CID_FONT,
        TO_UNICODE,
      ],
    },
    at: [20, 20],
    alone: 'with the origin of columns',
  },
  {
    name: 'in a composite font of one byte a code',
    content: 'BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET',
    page: {
      resources: '/Font<</F1 6 0 R>>',
      objects: [
        '<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Sans/Encoding 9 0 R/DescendantFonts[7 0 R]/ToUnicode 8 0 R>>',
        CID_FONT,
        stream('', '1 beginbfrange <20> <7E> <0020> endbfrange'),
        stream(
          '/Type/CMap/CMapName/Own',
          '1 begincodespacerange <00> <FF> endcodespacerange 1 begincidrange <00> <FF> 0 endcidrange',
        ),
      ],
    },
    at: [20, 30],
  },
  {
    name: 'in a form',
    content: 'q 2 0 0 2 10 20 cm /X Do Q',
    page: {
      resources: WITH_FORMS,
      objects: [form('BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET', '/Matrix[1 0 0 1 5 5]/Resources<</Font<</F1 5 0 R>>>>')],
    },
    at: [10 + 2 * 25, 20 + 2 * 35, 0, 20],
  },
  {
    name: "in a form that uses the page's resources",
    content: '/X Do',
    page: { resources: WITH_FORMS, objects: [form('BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET')] },
    at: [20, 30],
  },
  {
    name: 'in a form that uses the font in force',
    content: 'BT /F1 10 Tf ET /X Do',
    page: { resources: WITH_FORMS, objects: [form('BT 20 30 Td ({{signer1}}) Tj ET', '/Resources<<>>')] },
    at: [20, 30],
  },
  {
    name: 'in a form within a form',
    content: '1 0 0 1 3 0 cm /X Do',
    page: {
      resources: WITH_FORMS,
      objects: [
        form('1 0 0 1 0 4 cm /Y Do', '/Resources<</XObject<</Y 7 0 R>>>>'),
        form('BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET', '/Resources<</Font<</F1 5 0 R>>>>'),
      ],
    },
    at: [23, 34],
  },
  { name: 'turned by the text matrix', content: 'BT /F1 10 Tf 0 1 -1 0 60 20 Tm ({{signer1}}) Tj ET', at: [60, 20, 90] },
  { name: 'turned by the page', content: 'q 0 -1 1 0 20 190 cm BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET Q', at: [50, 170, -90] },
  { name: 'upside down', content: 'BT /F1 10 Tf -1 0 0 -1 90 90 Tm ({{signer1}}) Tj ET', at: [90, 90, 180] },
  {
    name: 'upside down by a negative zero',
    content: 'BT /F1 10 Tf -1 -0 -0 -1 90 90 Tm ({{signer1}}) Tj ET',
    at: [90, 90, 180],
    alone: 'as -180 degrees',
  },
  { name: 'upright by a negative size', content: 'BT /F1 -10 Tf -1 0 0 -1 90 90 Tm ({{signer1}}) Tj ET', at: [90, 90, 0] },
  { name: 'on a flipped page', content: '1 0 0 -1 0 200 cm BT /F1 10 Tf 1 0 0 -1 20 30 Tm ({{signer1}}) Tj ET', at: [20, 170] },
  { name: 'at a slant', content: 'BT /F1 10 Tf .8 .6 -.6 .8 20 30 Tm ({{signer1}}) Tj ET', at: [20, 30, 36.869898] },
  { name: 'with the size in the matrix', content: 'BT /F1 1 Tf 12 0 0 12 20 30 Tm ({{signer1}}) Tj ET', at: [20, 30, 0, 12] },
  {
    name: 'over several text objects',
    content: 'BT /F1 10 Tf 20 30 Td ({{sig) Tj ET BT 40 30 Td (ner) Tj ET BT /F1 10 Tf 60 30 Td (1}}) Tj ET',
    at: [20, 30],
  },
  { name: 'spread by blanks', content: 'BT /F1 10 Tf 20 30 Td ({ { s i g n e r 1 } }) Tj ET', at: [20, 30] },
  {
    name: 'behind other text',
    content: 'BT /F1 10 Tf 20 30 Td (Sign here: {{signer1}}) Tj ET',
    at: [20 + 48.36, 30],
    alone: 'as one run',
  },
  {
    name: 'behind an accent',
    content: 'BT /F1 10 Tf 20 30 Td (\\351) Tj ({{signer1}}) Tj ET',
    at: [20 + 5.56, 30],
    alone: 'as one run',
  },
  {
    name: 'behind a third brace',
    content: 'BT /F1 10 Tf 20 30 Td ({{{signer1}}}) Tj ET',
    at: [20 + 3.34, 30],
    alone: 'as one run',
  },
  { name: 'behind a broken one', content: 'BT /F1 10 Tf 20 30 Td ({{sig) Tj 0 20 Td ({{signer1}}) Tj ET', at: [20, 50] },
  { name: 'in the middle of an array', content: 'BT /F1 10 Tf 20 30 Td [(A)-2000({{signer1}})] TJ ET', at: [20 + 6.67 + 20, 30] },
  {
    name: 'after character and word spacing and scaling',
    content: 'BT /F1 10 Tf 2 Tc 3 Tw 50 Tz 20 30 Td (A B) Tj ({{signer1}}) Tj ET',
    at: [20 + (6.67 + 2.78 + 6.67 + 3 * 2 + 3) / 2, 30],
    alone: 'as one run',
  },
  { name: 'on a raised line', content: 'BT /F1 10 Tf 4 Ts 20 30 Td ({{signer1}}) Tj ET', at: [20, 34] },
  { name: 'on the next line', content: 'BT /F1 10 Tf 12 TL 20 30 Td (A) Tj T* ({{signer1}}) Tj ET', at: [20, 18] },
  { name: 'by the operator for a line', content: "BT /F1 10 Tf 20 60 Td 0 -15 TD ({{signer1}}) ' ET", at: [20, 30] },
  { name: 'by the operator for a line and spacing', content: 'BT /F1 10 Tf 15 TL 20 45 Td 1 2 ({{signer1}}) " ET', at: [20, 30] },
  { name: 'after a restored font', content: 'BT /F1 10 Tf q /F1 99 Tf Q 20 30 Td ({{signer1}}) Tj ET', at: [20, 30] },
  { name: 'after more restores than saves', content: 'Q Q q 1 0 0 1 20 30 cm BT /F1 10 Tf ({{signer1}}) Tj ET', at: [20, 30] },
  {
    name: 'behind an inline image',
    content: 'q BI /W 4 /H 1 /BPC 8 /CS /G ID \x01EI(\x02 EI \x80( EI Q BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET',
    at: [20, 30],
  },
  { name: 'behind a comment', content: '% (unbalanced ( Tj\nBT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET', at: [20, 30] },
  { name: 'in invisible text', content: 'BT 3 Tr /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET', at: [20, 30] },
  {
    name: 'off the page',
    content: 'BT /F1 10 Tf -500 900 Td ({{signer1}}) Tj ET',
    at: [-500, 900],
    alone: 'without text off the page',
  },
  {
    name: 'in a font of widths of its own',
    content: 'BT /F1 10 Tf 20 30 Td (ABC) Tj ({{signer1}}) Tj ET',
    page: {
      resources:
        '/Font<</F1<</Type/Font/Subtype/TrueType/BaseFont/Own/Encoding/WinAnsiEncoding/FirstChar 65/LastChar 66/Widths[300 6 0 R]/FontDescriptor<</Type/FontDescriptor/FontName/Own/Flags 32/MissingWidth 500>>>>>>',
      objects: ['450'],
    },
    at: [20 + 7.5 + 5, 30],
    alone: 'as one run',
  },
  {
    name: 'in a Type 3 font',
    content: 'BT /F1 20 Tf 20 30 Td (x) Tj ({{signer1}}) Tj ET',
    page: {
      resources: '/Font<</F1 6 0 R>>',
      objects: [
        '<</Type/Font/Subtype/Type3/FontBBox[0 0 100 50]/FontMatrix[.01 0 0 .01 0 0]/CharProcs<</x 7 0 R/braceleft 7 0 R>>/Encoding<</Differences[120/x 123/braceleft]>>/FirstChar 120/LastChar 125/Widths[60 0 0 40 0 40]/Resources<<>>>>',
        stream('', '60 0 d0'),
      ],
    },
    at: [20 + 12, 30, 0, 10],
    alone: 'without the text of glyphs that have no procedure',
  },
  {
    name: 'in a font whose codes are Unicode',
    content: `BT /F1 10 Tf 20 30 Td <${Buffer.from('{{signer1}}', 'utf16le').swap16().toString('hex')}> Tj ET`,
    page: {
      resources: '/Font<</F1 6 0 R>>',
      objects: [
        '<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/UniJIS-UCS2-H/DescendantFonts[7 0 R]>>',
        '<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>>>',
      ],
    },
    at: [20, 30],
    alone: 'only with its own CMap files',
  },
  {
    name: 'through the encoding of a font program',
    content: 'BT /F2 10 Tf 20 30 Td (ff) Tj /F1 10 Tf (signer1) Tj /F2 10 Tf (gg) Tj ET',
    page: {
      resources: '/Font<</F1 5 0 R/F2 6 0 R>>',
      objects: [
        '<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Symbols/FirstChar 102/LastChar 103/Widths[500 500]/FontDescriptor 7 0 R>>',
        '<</Type/FontDescriptor/FontName/ABCDEF+Symbols/Flags 4/FontFile 8 0 R>>',
        deflated(
          '/Length1 150',
          '%!PS-AdobeFont-1.0: Symbols\n/Encoding 256 array\ndup 102 /braceleft put\ndup 103 /braceright put\nreadonly def\ncurrentfile eexec\n',
        ),
      ],
    },
    at: [20, 30],
    alone: 'only in whole font programs',
  },
  {
    name: 'through names that repeat the codes, as TeX gives them to bitmap fonts',
    content: 'BT /F1 10 Tf 20 30 Td ({{signer1}}) Tj ET',
    page: differences('101/a101 103/a103 105/a105 110/a110 114/a114/a115 123/a123 125/a125 49/a49'),
    at: [20, 30],
  },
  {
    name: 'from a glyph that stands for several characters',
    content: 'BT /F1 10 Tf 20 30 Td (\\001signer\\002\\003) Tj ET',
    page: {
      resources: '/Font<</F1<</Type/Font/Subtype/TrueType/BaseFont/Own/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>>>',
      objects: [stream('', '3 beginbfchar <01> <007B007B> <02> <0031> <03> <007D007D> endbfchar')],
    },
    at: [20, 30],
  },
]

/** The document of a case. */
export function markerDocument({ content, page }: MarkerCase): Buffer {
  return onePage({ ...page, content: stream('', Buffer.from(content, 'latin1')) })
}
