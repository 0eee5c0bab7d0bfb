// Oddities of what depends on a reader's settings: form fields without appearances, layers, what only printers use.
import { anyOf } from '../../builders/seeded-random.ts'
import { contractFile, LINES, linesOf, type OddKind, OTHER_FACE, OTHER_FORM, streamObject } from './odd-document.ts'

const NEWEST = linesOf(LINES).join('\n')
const APPEARANCE = streamObject(
  '/Type/XObject/Subtype/Form/BBox[0 0 120 20]/Resources<</Font<</F1 5 0 R>>>>',
  '/Tx BMC BT /F1 10 Tf 2 5 Td (100) Tj ET EMC',
)

function field(entries: string, form: string, flags = '4'): Parameters<typeof contractFile>[0] {
  const widget = `<</Type/Annot/Subtype/Widget/FT/Tx/T(price)/F ${flags}/DA(/F1 10 Tf 0 g)/Rect[20 500 140 520]/P 3 0 R${entries}>>`
  const acroForm = `/AcroForm<</Fields[6 0 R]/DA(/F1 10 Tf 0 g)/DR<</Font<</F1 5 0 R>>>>${form}>>`
  return { page: '/Annots[6 0 R]', catalog: acroForm, objects: [widget, APPEARANCE] }
}

const NOTES = [
  'FreeText/DA(/Helv 10 Tf)',
  'Square/C[1 0 0]',
  'Circle/IC[1 0 0]',
  'Text',
  'Caret',
  'Redact',
  'Line/L[20 510 140 510]',
  'Line/L[20 510 140 510]/Cap true',
  'Highlight/QuadPoints[20 790 200 790 20 770 200 770]',
  'Polygon/Vertices[20 500 140 500 80 520]',
]

export const FACE_KINDS: readonly OddKind[] = [
  {
    name: 'a field whose appearance readers make',
    harmless: true,
    make: (random) =>
      contractFile(
        field(
          anyOf(['/V(100)/AP<</N 7 0 R>>', '/V(999)/AP<</N 7 0 R>>', '/V(100)', '/AP<</N 7 0 R>>'], random),
          anyOf(['', '/NeedAppearances true', '/NeedAppearances false'], random),
        ),
      ),
  },
  {
    name: 'flags that are no plain integer',
    harmless: false,
    make: (random) =>
      contractFile(field('/V(100)/AP<</N 7 0 R>>', '', anyOf(['4.0', '2.0', '34.0', '+2', '02', '+4', '4.', '(2)'], random))),
  },
  {
    name: 'a note without an appearance',
    harmless: true,
    make: (random) => {
      const subtype = anyOf(NOTES, random)
      return contractFile({
        page: '/Annots[6 0 R]',
        objects: [`<</Type/Annot/F 4/Rect[20 500 140 520]/Contents(Note)/Subtype/${subtype}>>`],
      })
    },
  },
  {
    name: 'a stamp without an appearance',
    harmless: true,
    make: (random) => {
      const name = anyOf(
        ['', '/Name/Approved', '/Name/NotForPublicRelease', '/Name/Received', '/AP<<>>', '/AP<</N<<>>>>'],
        random,
      )
      return contractFile({ page: '/Annots[6 0 R]', objects: [`<</Type/Annot/F 4/Rect[20 500 140 520]/Subtype/Stamp${name}>>`] })
    },
  },
  {
    name: 'a layer',
    harmless: false,
    make: (random) =>
      contractFile({
        catalog: `/OCProperties<</OCGs[6 0 R]/D<</Order[6 0 R]${anyOf(['', '/OFF[6 0 R]', '/BaseState/OFF', '/ON[6 0 R]', '/AS[<</Event/Print/Category[/Print]/OCGs[6 0 R]>>]'], random)}>>>>`,
        resources: '/Properties<</L 6 0 R>>/XObject<</Fm 7 0 R>>',
        content: `${NEWEST}\n${anyOf(['/OC /L BDC /Fm Do EMC', `/OC /L BDC BT /F1 12 Tf 20 450 Td (${OTHER_FACE}) Tj ET EMC`, '/OC /Missing BDC /Fm Do EMC'], random)}`,
        objects: [
          `<</Type/OCG/Name(Layer)${anyOf(['', '/Usage<</Print<</PrintState/OFF>>>>', '/Usage<</View<</ViewState/OFF>>>>'], random)}>>`,
          OTHER_FORM,
        ],
      }),
  },
  {
    name: 'what only printers use',
    harmless: false,
    make: (random) => {
      const identity = '<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>'
      const state = anyOf(
        [`/TR ${identity}`, `/TR2 ${identity}`, `/BG ${identity}`, `/UCR ${identity}`, '/HT/Default', '/TR/Identity'],
        random,
      )
      const image = '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray'
      return anyOf(
        [
          () => contractFile({ resources: `/ExtGState<</G<<${state}>>>>`, content: `/G gs\n${NEWEST}` }),
          () =>
            contractFile({
              resources: '/XObject<</Im 6 0 R>>',
              content: `${NEWEST}\nq 50 0 0 50 20 500 cm /Im Do Q`,
              objects: [
                streamObject(`${image}/Alternates[<</Image 7 0 R/DefaultForPrinting true>>]`, 'x'),
                streamObject(image, ' '),
              ],
            }),
          () =>
            contractFile({
              resources: '/XObject<</Ps 6 0 R>>',
              content: `${NEWEST}\n/Ps Do`,
              objects: [streamObject('/Type/XObject/Subtype/PS', 'showpage')],
            }),
        ],
        random,
      )()
    },
  },
]
