// Oddities of a page's content and of what it refers to.
import { deflateSync } from 'node:zlib'
import { anyOf, type SeededRandom } from '../../builders/seeded-random.ts'
import {
  contract,
  contractFile,
  LINES,
  linesOf,
  linesWith,
  type OddKind,
  OTHER_FACE,
  OTHER_FORM,
  streamObject,
} from './odd-document.ts'

const OPEN_TOKENS = [
  '(open',
  '(\\(',
  '[ 1 2',
  '[(a',
  '<< /A 1',
  '<41',
  '<',
  '/',
  '% remark',
  'BI /W 1',
  'BI /W 1 /H 1 /BPC 8 /CS /G ID x',
]
const WITHOUT_OPERANDS = [
  'gs 0 0 rg Tf Do cm w d re l c Td Tm Tj TJ scn k sh BDC DP i ri M Tz Tr EI sc'.split(' '),
  ['1 0 0 1 0 cm', '[] d', '1 2 re', '/Span BDC', '/F1 Tf', '1 rg', '(x)', '5 Td', '/X 3 gs', '(a) 3 Tj'],
].flat()
const HARMLESS = [
  '1 2 3 w',
  'q',
  'Q',
  'Q Q Q',
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
const FILTERS = [
  '/Filter/FlateDecode',
  '/Filter[/FlateDecode]',
  '/Filter/Fl',
  '/Filter[null/FlateDecode]',
  '/Filter/ASCIIHexDecode',
  '/Filter/None',
]

/** What a page refers to, and how: `#` is the reference. */
const USES: readonly (readonly [string, (ref: string) => Parameters<typeof contractFile>[0]])[] = [
  ['graphics state', (ref) => ({ resources: `/ExtGState<</G ${ref}>>`, content: `/G gs\n${linesOf(LINES).join('\n')}` })],
  ['unused graphics state', (ref) => ({ resources: `/ExtGState<</G ${ref}>>` })],
  ['form', (ref) => ({ resources: `/XObject<</Fm ${ref}>>`, content: `${linesOf(LINES).join('\n')}\n/Fm Do` })],
  [
    'font',
    (ref) => ({
      fonts: `/F1 5 0 R/F2 ${ref}`,
      content: `${linesOf(LINES).join('\n')}\nBT /F2 9 Tf 20 450 Td (${OTHER_FACE}) Tj ET`,
    }),
  ],
  ['colour space', (ref) => ({ resources: `/ColorSpace<</C ${ref}>>`, content: `/C cs 0 sc\n${linesOf(LINES).join('\n')}` })],
  ['part of the content', (ref) => ({ contents: `[4 0 R ${ref}]` })],
  ['first part of the content', (ref) => ({ contents: `[${ref} 4 0 R]` })],
  ['annotation', (ref) => ({ page: `/Annots[${ref}]` })],
  ['property', (ref) => ({ resources: `/Properties<</P ${ref}>>`, content: `/A /P BDC\n${linesOf(LINES).join('\n')}\nEMC` })],
]
const TARGETS: Readonly<Record<string, string>> = {
  'graphics state': '<</Type/ExtGState/LW 2>>',
  'unused graphics state': '<</Type/ExtGState/LW 2>>',
  font: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
  'colour space': '[/Indexed/DeviceRGB 0<ff0000>]',
  form: OTHER_FORM,
  annotation: '<</Type/Annot/Subtype/Square/Rect[10 10 60 60]/F 4/C[1 0 0]>>',
  property: '<</Type/OCG/Name(Layer)>>',
}

function targetOf(use: string): string {
  return TARGETS[use] ?? streamObject('', `BT /F1 12 Tf 20 450 Td (${OTHER_FACE}) Tj ET`)
}

export const CONTENT_KINDS: readonly OddKind[] = [
  {
    name: 'content that ends within a token',
    harmless: false,
    make: (random) => contractFile({ content: `${linesOf(LINES).join('\n')}\n${anyOf(OPEN_TOKENS, random)}` }),
  },
  {
    name: 'a part of the content that ends within a token',
    harmless: false,
    make: (random) =>
      contractFile({
        contents: '[4 0 R 6 0 R]',
        content: `${linesOf(LINES).slice(0, 2).join('\n')}\n${anyOf(OPEN_TOKENS, random)}`,
        objects: [streamObject('', linesOf(LINES).slice(2).join('\n'))],
      }),
  },
  {
    name: 'an operator without its operands',
    harmless: false,
    make: (random) => contractFile({ content: linesWith(anyOf(WITHOUT_OPERANDS, random), random) }),
  },
  {
    name: 'needless operators and operands',
    harmless: true,
    make: (random) => contractFile({ content: linesWith(anyOf(HARMLESS, random), random) }),
  },
  {
    name: 'a filter that does not fit the data',
    harmless: false,
    make: (random) => {
      const data = deflateSync(linesOf(LINES).join('\n'))
      const flaw = random(5)
      const content = flaw === 0 ? data : flaw === 1 ? data.subarray(0, -4) : Buffer.concat([data, Buffer.from('x')])
      return contractFile({
        content: flaw === 4 ? data.fill(7, data.length - random(40)) : content,
        contentEntries: anyOf(FILTERS, random),
      })
    },
  },
  {
    name: 'a reference to a missing object',
    harmless: false,
    make: (random) => contractFile(anyOf(USES, random)[1](anyOf(['90 0 R', '6 0 R', '0 0 R'], random))),
  },
  {
    name: 'a reference with a wrong generation',
    harmless: false,
    make: (random) => {
      const [use, oddOf] = anyOf(USES, random)
      return contractFile({ ...oddOf(`6 ${1 + random(4)} R`), objects: [targetOf(use)] })
    },
  },
  {
    name: 'a null in the place of a reference',
    harmless: false,
    make: (random) => contractFile(anyOf(USES, random)[1]('null')),
  },
  {
    name: 'a copy of an object that the table does not list',
    harmless: false,
    make: withUnlistedCopy,
  },
]

/** A second version of the content or a form, before or after the listed one, with or without what makes some readers search the file for objects. */
function withUnlistedCopy(random: SeededRandom): Buffer {
  const broken = anyOf(['', '/ExtGState<</G 90 0 R>>', '/XObject<</Fm 90 0 R>>', '/ExtGState<</G 5 3 R>>'], random)
  const other = streamObject('', linesOf([OTHER_FACE]).join(''))
  const early = random(2) === 0
  const builder = contract({ resources: broken })
  const listed = builder.entries.get(4)
  if (!early) builder.object(4, other)
  if (listed !== undefined && !early) builder.entries.set(4, listed)
  if (!early) return builder.table('/Root 1 0 R').bytes()
  // The listed one is the second.
  builder.stream(4, '', linesOf(LINES).join('\n'))
  return builder.table('/Root 1 0 R').bytes()
}
