// Fonts with large, many or invalid tables.
import { deflated, onePage, stream } from '../hostile-pdfs.ts'
import { type Bomb, flate, MIB, withFont } from './bomb.ts'

const COMPOSITE = '/Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A>>]'
const ALL_CODES = '<0000> <FFFF> <0041> '

export const FONTS: readonly Bomb[] = [
  {
    name: 'a text map of wide ranges',
    build: () => withFont(`${COMPOSITE}/ToUnicode 7 0 R`, flate('', `1 beginbfrange ${ALL_CODES} endbfrange `, 30 * MIB)),
  },
  {
    name: 'a text map of one endless section',
    build: () => withFont(`${COMPOSITE}/ToUnicode 7 0 R`, flate('', ALL_CODES, 30 * MIB)),
  },
  {
    name: 'a text map of long texts',
    build: () =>
      withFont('/Subtype/TrueType/ToUnicode 7 0 R', stream('', `1 beginbfchar <01> <${'007B'.repeat(MIB)}> endbfchar`)),
  },
  {
    name: 'a text map of huge codes',
    build: () =>
      withFont('/Subtype/TrueType/ToUnicode 7 0 R', stream('', '1 beginbfrange <00000000> <FFFFFFFF> <007B> endbfrange')),
  },
  {
    name: 'five thousand fonts of wide ranges',
    build: () => {
      const names = Array.from({ length: 5_000 }, (_, font) => font)
      return onePage({
        content: deflated('', names.map((font) => `/F${font} 9 Tf ({{signer1}}) Tj`).join(' ')),
        resources: `/Font<<${names.map((font) => `/F${font} ${7 + font} 0 R`).join('')}>>`,
        objects: [
          deflated('', `1 beginbfrange ${ALL_CODES.repeat(10)} endbfrange`),
          ...names.map(() => `<</Type/Font${COMPOSITE}/ToUnicode 6 0 R>>`),
        ],
      })
    },
  },
  {
    name: 'widths of wide ranges',
    build: () => {
      const widths = Array.from({ length: 100_000 }, (_, range) => `${range} 65535 ${range}`).join(' ')
      const map = deflated('', '1 beginbfchar <7B7B> <007B007B007300690067006E006500720031007D007D> endbfchar')
      return onePage({
        content: deflated('', `${'BT /F1 9 Tf (aaaaaaaaaaaaaaaa) Tj ET\n'.repeat(MIB / 4)} BT /F1 9 Tf ({{) Tj ET`),
        resources: '/Font<</F1 6 0 R>>',
        objects: [
          '<</Type/Font/Subtype/Type0/Encoding/Identity-H/DescendantFonts[7 0 R]/ToUnicode 8 0 R>>',
          `<</Type/Font/W[${widths}]>>`,
          map,
        ],
      })
    },
  },
  {
    name: 'an encoding of huge codes',
    build: () => withFont(`/Subtype/Type1/Encoding<</Differences[1e9 -5/a 4294967295/braceleft ${'/s'.repeat(200_000)}]>>`),
  },
  {
    name: 'a font that is its own descendant',
    build: () => withFont('/Subtype/Type0/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 6 0 R'),
  },
]
