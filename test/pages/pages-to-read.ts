// PDFs that a browser can only show with a decoder or a character map of pdf.js.
import { FIRST_FURTHER, simpleBuilder, simplePdf } from '../support/builders/pdf-builder.ts'

const SIDE = 32
// ITU-T T.6: each white row is one "vertical 0" code, a single 1 bit; then the end-of-block code.
const WHITE_FAX = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x00, 0x10, 0x01])

/** One picture in CCITT group 4, as scanners and fax servers make them. */
export function aFaxPage(): Buffer {
  const builder = simpleBuilder({
    page: `/Resources<</XObject<</Fax ${FIRST_FURTHER} 0 R>>>>`,
    content: 'q 200 0 0 200 0 0 cm /Fax Do Q',
  })
  const shape = `/Type/XObject/Subtype/Image/Width ${SIDE}/Height ${SIDE}/BitsPerComponent 1/ColorSpace/DeviceGray`
  const filter = `/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${SIDE}/Rows ${SIDE}>>`
  return builder
    .stream(FIRST_FURTHER, shape + filter, WHITE_FAX)
    .table('/Root 1 0 R')
    .bytes()
}

/** Text whose typeface is not embedded and whose codes mean something only by a predefined character map. */
export function aJapanesePage(): Buffer {
  const face = '/BaseFont/HeiseiKakuGo-W5'
  const system = '/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>'
  const measures = '/Flags 4/FontBBox[-92 -250 1010 922]/ItalicAngle 0/Ascent 752/Descent -221/CapHeight 737/StemV 114'
  return simplePdf({
    page: `/Resources<</Font<</F ${FIRST_FURTHER} 0 R>>>>`,
    content: 'BT /F 24 Tf 20 100 Td <65E5672C8A9E> Tj ET',
    objects: [
      `<</Type/Font/Subtype/Type0${face}/Encoding/UniJIS-UCS2-H/DescendantFonts[${FIRST_FURTHER + 1} 0 R]>>`,
      `<</Type/Font/Subtype/CIDFontType0${face}${system}/FontDescriptor ${FIRST_FURTHER + 2} 0 R/DW 1000>>`,
      `<</Type/FontDescriptor/FontName/HeiseiKakuGo-W5${measures}>>`,
    ],
  })
}
