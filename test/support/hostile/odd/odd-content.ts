// Oddities of a page's content.
import { deflateSync } from 'node:zlib'
import { anyOf, type SeededRandom } from '../../builders/seeded-random.ts'
import { contractFile, LINES, linesOf, linesWith, type Odd, type OddKind, streamObject } from './odd-document.ts'

const OPEN_TOKENS = ['(open', '(\\(', '[ 1 2', '[(a', '<< /A 1', '<41', '<', '/', 'BI /W 1', 'BI /W 1 /H 1 /BPC 8 /CS /G ID x']
const WITHOUT_OPERANDS = [
  'gs 0 0 rg Tf Do cm w d re l c Td Tm Tj TJ scn k sh BDC DP i ri M Tz Tr EI sc'.split(' '),
  ['1 0 0 1 0 cm', '[] d', '1 2 re', '/Span BDC', '/F1 Tf', '1 rg', '(x)', '5 Td', '/X 3 gs', '(a) 3 Tj'],
].flat()
const NEEDLESS = [
  '1 2 3 w',
  'q',
  'ET',
  '/A BMC',
  'EMC',
  'BX qux EX',
  '5 5 m 9 9 l',
  'q 0 0 0 0 re W n Q',
  'foo',
  '/A /B MP',
  '% ) > ]',
]
const FILTERS = ['/FlateDecode', '[/FlateDecode]', '/Fl', '[null/FlateDecode]', '/ASCIIHexDecode', '/None'].map(
  (name) => `/Filter${name}`,
)

export const CONTENT_KINDS: readonly OddKind[] = [
  {
    name: 'content that ends within a token',
    harmless: false,
    make: (random) => contractFile({ content: `${linesOf(LINES).join('\n')}\n${anyOf(OPEN_TOKENS, random)}` }),
  },
  {
    name: 'a part of the content that ends within a token',
    harmless: false,
    make: (random) => inTwoParts(anyOf(OPEN_TOKENS, random)),
  },
  {
    name: 'a part of the content that ends within a comment',
    harmless: false,
    make: (random) => inTwoParts(anyOf(['% remark', '%', '(50%) 3 w % )', '% remark\n', '1 w % a\r'], random)),
  },
  {
    name: 'an operator without its operands',
    harmless: false,
    make: (random) => contractFile({ content: linesWith(anyOf(WITHOUT_OPERANDS, random), random) }),
  },
  {
    name: 'a state restored that was not saved',
    harmless: true,
    make(random) {
      const content = linesWith(anyOf(['Q', 'Q Q Q', 'q Q Q'], random), random)
      const form = streamObject('/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>', content)
      const uses: readonly Odd[] = [
        { content },
        { content: '/Fm Do', resources: '/XObject<</Fm 6 0 R>>', objects: [form] },
        {
          content: '',
          page: '/Annots[7 0 R]',
          objects: [form, '<</Type/Annot/Subtype/Stamp/F 4/Rect[0 0 595 842]/AP<</N 6 0 R>>>>'],
        },
      ]
      return contractFile(anyOf(uses, random))
    },
  },
  {
    name: 'needless operators and operands',
    harmless: true,
    make: (random) => contractFile({ content: linesWith(anyOf(NEEDLESS, random), random) }),
  },
  {
    name: 'a filter that does not fit the data',
    harmless: false,
    make: withOddFilter,
  },
]

function inTwoParts(end: string): Buffer {
  return contractFile({
    contents: '[4 0 R 6 0 R]',
    content: `${linesOf(LINES).slice(0, 2).join('\n')}\n${end}`,
    objects: [streamObject('', linesOf(LINES).slice(2).join('\n'))],
  })
}

/** Data that is whole, cut, longer or damaged near its end. */
function withOddFilter(random: SeededRandom): Buffer {
  const data = deflateSync(linesOf(LINES).join('\n'))
  const contents = [
    data,
    data.subarray(0, -4),
    Buffer.concat([data, Buffer.from('x')]),
    Buffer.from(data).fill(7, data.length - 1 - random(40)),
  ]
  return contractFile({ content: anyOf(contents, random), contentEntries: anyOf(FILTERS, random) })
}
