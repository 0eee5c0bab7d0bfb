// Long page contents that a reader processes item by item.
import { deflateSync } from 'node:zlib'
import { onePage, stream } from '../hostile-pdfs.ts'
import { BELOW, type Bomb, content, flate, LONG, MIB, pages } from './bomb.ts'

/** Contents of maximum length that are slow to read. */
export const TEDIOUS: readonly Bomb[] = [
  { name: 'saved states', build: content('q ', BELOW) },
  { name: 'saved states in a page with a marker', build: marked('q ') },
  { name: 'open strings', build: content('(', LONG), code: 'DOCUMENT_INVALID' },
  { name: 'strings', build: content('()', LONG) },
  { name: 'open arrays', build: content('[', LONG), code: 'DOCUMENT_INVALID' },
  { name: 'open dictionaries', build: content('<<', LONG), code: 'DOCUMENT_INVALID' },
  { name: 'open hexadecimal strings', build: content('<', LONG), code: 'DOCUMENT_INVALID' },
  { name: 'hexadecimal strings of blanks', build: content('<  > Tj ', LONG) },
  { name: 'comments', build: content('%\n', LONG) },
  { name: 'one number', build: content('9', LONG) },
  { name: 'one name', build: content('/#41', LONG) },
  {
    name: 'one name that is used',
    build: () => onePage({ content: stream('/Filter/FlateDecode', deflateSync(`/${'#41'.repeat(MIB)} Do`)) }),
  },
  { name: 'numbers', build: content('1 ', LONG) },
  { name: 'operators', build: content('n ', BELOW) },
  { name: 'images without an end', build: content('BI ID ', LONG), code: 'DOCUMENT_INVALID' },
  { name: 'images that seem to end', build: content('BI ID EI\xff ', LONG), code: 'DOCUMENT_INVALID' },
  { name: 'fonts', build: content('/F1 9 Tf ', LONG) },
  { name: 'fonts that do not exist', build: content('/F2 9 Tf ', LONG) },
  { name: 'forms that do not exist', build: content('/X Do ', LONG) },
  { name: 'text', build: content('BT /F1 9 Tf (The tenant keeps the paths clear of snow and leaves.) Tj ET\n', BELOW) },
  { name: 'text in a page with a marker', build: marked('BT /F1 9 Tf (The tenant keeps the paths clear.) Tj ET\n') },
  { name: 'braces in a page with a marker', build: marked('({{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{) Tj ') },
  { name: 'matrices in a page with a marker', build: marked('1.00001 0 0 1.00001 0 0 cm\n') },
  {
    name: 'markers on four pages',
    build: () => pages([4, 4, 4, 4], [flate('', 'BT /F1 9 Tf ({{signer1}}) Tj ET ', BELOW)], '/Font<</F1 3 0 R>>'),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  { name: 'one array to show', build: content('(a) 1 ', LONG) },
]

/** A page that is read a second time, for its marker's position. */
function marked(text: string): () => Buffer {
  return () => {
    const marker = 'BT /F1 9 Tf ({{signer1}}) Tj ET /F1 9 Tf '
    const long = Buffer.alloc(LONG - (LONG % text.length), text)
    return onePage({
      content: stream('/Filter/FlateDecode', deflateSync(Buffer.concat([long, Buffer.from(`\n${marker}`)]), { level: 1 })),
    })
  }
}
