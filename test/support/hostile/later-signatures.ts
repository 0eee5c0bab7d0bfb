// Signatures that a forger could add to a sealed file, made by chance: the ways to say where a field is, whether it is hidden and what it looks
// like, also those that readers understand in different ways.
import { anyOf, type SeededRandom } from '../builders/seeded-random.ts'
import { openBytes } from '../judges/open-pdf.ts'
import { bodyOf, type LaterRevision, type Piece, streamBody } from './later-revisions.ts'
import type { SealedDocument } from './sealed-documents.ts'

const FORGED = 'BT /F1 12 Tf 2 10 Td (Price: 999999) Tj ET 1 0 0 rg 0 0 200 200 re f'
const NOWHERE = [
  '',
  '/Rect[20 20 20 20]',
  '/Rect[20 20 20 120]',
  '/Rect[0 0 0 0]',
  '/Rect[1e3 20 1e3 20]',
  '/Rect[20 20 20. 20.0]',
]
const SOMEWHERE = [
  '/Rect null',
  '/Rect[0 0 100]',
  '/Rect[0 0 0.0001 0.0001]',
  '/Rect[20 20 180 180]',
  '/R#65ct[20 20 180 180]',
  '/Rect[0 0 0 0]/Rect[20 20 180 180]',
  '/Rect[2147483648 0 2147483648 0]',
]
const FLAGS = ['', '/F 2', '/F 2.0', '/F +2', '/F 02', '/F 2/F 4', '/F 3', '/F 34', '/F 4294967298', '/F#20 2', '/F (2)', '/F 1']
const MORE = [
  '',
  '/MK<</CA(Price: 999999)/BG[1 0 0]/BC[0 1 0]>>',
  '/Border[0 0 200]/C[1 0 0]',
  '/BS<</W 200/S/S>>/MK<</BC[1 0 0]>>',
  '/DA(/F1 12 Tf)/TU(Price: 999999)',
]
const TYPES = ['/Type/Annot/Subtype/Widget', '/Subtype/Widget', '/Type/Annot', '/Type/Page/Subtype/Widget', '/Subtype/Stamp']

/** A new signature field on the page with the price; its signature holds nothing. */
export function anySignature({ bytes: sealed, numbers }: SealedDocument, roll: SeededRandom): LaterRevision {
  const { size } = openBytes(sealed)
  const [field, signature, painted, empty, nested, masked] = [0, 1, 2, 3, 4, 5].map((each) => size + each)
  const form = '/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources'
  const looks = [
    '',
    ...[painted, empty, nested, masked].map((each) => `/AP<</N ${each} 0 R>>`),
    `/AP<</N<</On ${painted} 0 R/Off ${empty} 0 R>>>>/AS/On`,
    `/AP<</N null/D ${painted} 0 R>>`,
  ]
  const rectangle = anyOf(roll(2) === 0 ? NOWHERE : SOMEWHERE, roll)
  const parts = [anyOf(TYPES, roll), rectangle, anyOf(FLAGS, roll), anyOf(looks, roll), anyOf(MORE, roll)].join('')
  const page = `${numbers.page} 0 R`
  const named = (num: number, text: string, list: string): Piece => ({
    kind: 'object',
    num,
    body: text.replace(list, `${list.slice(0, -1)} ${field} 0 R]`),
  })
  const [catalog, pageBody] = [bodyOf(sealed, 1), bodyOf(sealed, numbers.page)]
  const pieces: Piece[] = [
    named(1, catalog, /\/Fields *\[[^\]]*\]/.exec(catalog)?.[0] ?? ''),
    named(numbers.page, pageBody, /\/Annots *\[[^\]]*\]/.exec(pageBody)?.[0] ?? ''),
    { kind: 'object', num: field!, body: `<</FT/Sig/T(later)/P ${page}/V ${signature} 0 R${parts}>>` },
    { kind: 'object', num: signature!, body: '<</Type/Sig/Contents<00>/ByteRange[0 0 0 0]>>' },
    { kind: 'object', num: painted!, body: streamBody(FORGED, `${form}<</Font<</F1 ${numbers.font} 0 R>>>>`) },
    { kind: 'object', num: empty!, body: streamBody('', `${form}<<>>`) },
    { kind: 'object', num: nested!, body: streamBody('/X Do', `${form}<</XObject<</X ${painted} 0 R>>>>`) },
    {
      kind: 'object',
      num: masked!,
      body: streamBody('/G gs', `${form}<</ExtGState<</G<</SMask<</S/Luminosity/G ${painted} 0 R>>>>>>>>`),
    },
  ]
  return { name: parts, pieces, section: 'table' }
}
