// Oddities of what a page refers to: missing objects, wrong generations, null, copies that the table does not list, names twice.
import { anyOf, type SeededRandom } from '../../builders/seeded-random.ts'
import {
  contract,
  contractFile,
  LINES,
  linesOf,
  type Odd,
  type OddKind,
  OTHER_FACE,
  OTHER_FORM,
  streamObject,
} from './odd-document.ts'

interface Use {
  /** The contract with this reference. */
  readonly at: (ref: string) => Odd
  readonly target: string
}

const CONTENT = linesOf(LINES).join('\n')
const FORM = streamObject('/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>', CONTENT)
const GRAPHICS_STATE = '<</Type/ExtGState/LW 2>>'
const OTHER_CONTENT = streamObject('', linesOf([OTHER_FACE]).join(''))

const USES: readonly Use[] = [
  { at: (ref) => ({ resources: `/ExtGState<</G ${ref}>>`, content: `/G gs\n${CONTENT}` }), target: GRAPHICS_STATE },
  { at: (ref) => ({ resources: `/ExtGState<</G ${ref}>>` }), target: GRAPHICS_STATE },
  { at: (ref) => ({ resources: `/XObject<</Fm ${ref}>>`, content: `${CONTENT}\n/Fm Do` }), target: OTHER_FORM },
  {
    at: (ref) => ({ resources: `/ColorSpace<</C ${ref}>>`, content: `/C cs 0 sc\n${CONTENT}` }),
    target: '[/Indexed/DeviceRGB 0<ff0000>]',
  },
  { at: (ref) => ({ page: `/Annots[${ref}]` }), target: '<</Type/Annot/Subtype/Square/Rect[10 10 60 60]/F 4/C[1 0 0]>>' },
  {
    at: (ref) => ({ resources: `/Properties<</P ${ref}>>`, content: `/A /P BDC\n${CONTENT}\nEMC` }),
    target: '<</Type/OCG/Name(Layer)>>',
  },
]
const PARTS: readonly Use[] = [
  { at: (ref) => ({ contents: `[4 0 R ${ref}]` }), target: OTHER_CONTENT },
  { at: (ref) => ({ contents: `[${ref} 4 0 R]` }), target: OTHER_CONTENT },
]
const FONT: Use = {
  at: (ref) => ({ fonts: `/F1 5 0 R/F2 ${ref}`, content: `${CONTENT}\nBT /F2 9 Tf 20 450 Td (${OTHER_FACE}) Tj ET` }),
  target: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
}

const DAMAGED_FONTS = [
  '90 0 R',
  '6 3 R',
  'null',
  '5',
  '/Courier',
  '<<>>',
  '<</Type/Font/Subtype/Type3>>',
  '<</Type/Font/Subtype/Type1>>',
  '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[null]>>',
]

const OTHER_FONT = '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>'
const REPEATED: readonly Odd[] = [
  { fonts: '/F1 5 0 R/F1 6 0 R', objects: [OTHER_FONT] },
  { fonts: '/F1 6 0 R/F1 5 0 R', objects: [OTHER_FONT] },
  { fonts: '/F1 6 0 R/F#31 5 0 R', objects: [OTHER_FONT] },
  { resources: '/Font 6 0 R', objects: ['<</F1 5 0 R>>'] },
  { resources: '/XObject<</Fm 6 0 R/Fm 7 0 R>>', content: '/Fm Do', objects: [streamObject('', ''), FORM] },
  { resources: '/XObject<</Fm 6 0 R>>', content: '/Fm Do', objects: [FORM.replace('/F1 5', '/F1 7 0 R/F1 5'), '', OTHER_FONT] },
]

export const REFERENCE_KINDS: readonly OddKind[] = [
  {
    name: 'a reference to a missing object',
    harmless: false,
    make: (random) => contractFile(anyOf([...USES, ...PARTS], random).at(anyOf(['90 0 R', '6 0 R', '0 0 R'], random))),
  },
  {
    name: 'a reference with a wrong generation',
    harmless: false,
    make(random) {
      const { at, target } = anyOf([...USES, ...PARTS], random)
      return contractFile({ ...at(`6 ${1 + random(4)} R`), objects: [target] })
    },
  },
  { name: 'a null in the place of a reference', harmless: true, make: (random) => contractFile(anyOf(USES, random).at('null')) },
  {
    name: 'a null in the content of a page',
    harmless: false,
    make: (random) => contractFile(anyOf(PARTS, random).at('null')),
  },
  {
    name: 'a font that is missing',
    harmless: false,
    make: (random) => contractFile({ ...FONT.at(anyOf(DAMAGED_FONTS, random)), objects: [FONT.target] }),
  },
  {
    name: 'a name twice in the resources',
    harmless: true,
    make: (random) => contractFile(anyOf(REPEATED, random)),
  },
  {
    name: 'a code map with two directions',
    harmless: true,
    make(random) {
      const modes = ['', '/WMode 0', '/WMode 1']
      const program = `begincmap ${anyOf(['', '/WMode 0 def', '/WMode 1 def', '/WMode 1.0 def'], random)} 1 begincodespacerange <00> <ff> endcodespacerange 1 begincidrange <00> <ff> 0 endcidrange endcmap`
      const font =
        '<</Type/Font/Subtype/Type0/BaseFont/Courier/Encoding 7 0 R/ToUnicode 8 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/Courier/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>'
      const texts =
        'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <7e> <0020> endbfrange endcmap'
      return contractFile({
        fonts: '/F1 5 0 R/F2 6 0 R',
        content: `${CONTENT}\nBT /F2 9 Tf 20 450 Td (Row) Tj ET`,
        objects: [font, streamObject(`/Type/CMap/CMapName/Row${anyOf(modes, random)}`, program), streamObject('', texts)],
      })
    },
  },
  { name: 'a copy of an object that the table does not list', harmless: false, make: withUnlistedCopy },
]

/** A second version of the content before or after the listed one, with or without what makes some readers search the file for objects. */
function withUnlistedCopy(random: SeededRandom): Buffer {
  const broken = ['', '/ExtGState<</G 90 0 R>>', '/XObject<</Fm 90 0 R>>', '/ExtGState<</G 5 3 R>>']
  const isEarly = random(2) === 0
  const builder = contract({ resources: anyOf(broken, random), content: isEarly ? linesOf([OTHER_FACE]).join('') : CONTENT })
  const listed = builder.entries.get(4)
  builder.stream(4, '', isEarly ? CONTENT : linesOf([OTHER_FACE]).join(''))
  if (listed !== undefined && !isEarly) builder.entries.set(4, listed)
  return builder.table('/Root 1 0 R').bytes()
}
