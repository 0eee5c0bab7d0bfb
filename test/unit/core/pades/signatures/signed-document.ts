// A document to sign, and objects that a further revision of it can write.
import type { SigningKey } from '#core/pades/signing-key.ts'
import { listSignatures } from '#core/pades/signatures/list-signatures.ts'
import { openBytes } from '../../../../support/judges/open-pdf.ts'
import { simplePdf } from '../../../../support/builders/pdf-builder.ts'
import { buildCms } from '../cms-builder.ts'
import { ENTRIES, signFile, unsignedFile } from '../sealed-file.ts'

// The document: catalog 1, page tree 2, page 3, content 4, font 5, form fields 6 (text) and 7 (signature, empty), appearance 8, note 9.
// The signature adds its widget 10 and its dictionary 11.
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>'
export const FORM = '/SigFlags 3/DR<</Font<</F1 5 0 R>>>>'
const CATALOG = '<</Type/Catalog/Pages 2 0 R'
export const TEXT_FIELD = '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 90 30]/P 3 0 R/AP<</N 8 0 R>>'
export const EMPTY_FIELD = '<</Type/Annot/Subtype/Widget/FT/Sig/T(later)/Rect[0 0 0 0]/P 3 0 R'
export const NOTE = '<</Type/Annot/Subtype/Text/Rect[50 50 60 60]/Contents(a note)'
export const document = simplePdf({
  content: 'BT /F1 12 Tf 20 100 Td (Price: 100) Tj ET',
  catalog: `/AcroForm<</Fields[6 0 R 7 0 R]${FORM}>>`,
  page: '/Resources<</Font<</F1 5 0 R>>>>/Annots[6 0 R 7 0 R 9 0 R]',
  objects: [`${TEXT_FIELD}>>`, `${EMPTY_FIELD}>>`, stream('/Subtype/Form/BBox[0 0 80 20]', 'old'), `${NOTE}>>`],
})
export const WIDGET = '<</Type/Annot/Subtype/Widget/FT/Sig/T(New)/F 132/P 3 0 R'

/** The document with a signature whose dictionary has these further entries. */
export function signedDocument(key: SigningKey, entries = '', original = document): Buffer {
  return signFile(unsignedFile(`${ENTRIES}${entries}`, { original }), (digest) => buildCms(key, digest))
}

/** What came after the oldest signature, and why it is not permitted. */
export function changesOf(bytes: Buffer): string {
  const [oldest] = listSignatures(openBytes(bytes))
  if (oldest === undefined) return 'no signature'
  return [oldest.intact ? oldest.laterChanges : 'BROKEN', oldest.problem].filter(Boolean).join(': ')
}

/** A catalog, page, or form as the signature left it, with more at its end. */
export const catalog = (more = '', fields = '6 0 R 7 0 R 10 0 R', form = FORM) =>
  `${CATALOG}/AcroForm<</Fields[${fields}]${form}>>/Extensions<</ESIC<</BaseVersion/1.7/ExtensionLevel 2>>>>${more}>>`
export const page = (more = '', annots = '6 0 R 7 0 R 9 0 R 10 0 R') => `${PAGE}/Annots[${annots}]${more}>>`

export function stream(entries: string, data: string): string {
  return `<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream`
}

export type Objects = readonly (readonly [number, string])[]
