// A small contract that a kind of oddity changes in one place: catalog 1, page tree 2, page 3, content 4, font 5, further objects from 6 on.
import { PdfBuilder } from '../../builders/pdf-builder.ts'
import type { SeededRandom } from '../../builders/seeded-random.ts'

export interface OddKind {
  readonly name: string
  /** Whether some of its files have to be accepted. Of a kind that readers show differently all may be refused. */
  readonly harmless: boolean
  readonly make: (random: SeededRandom) => Buffer
}

/** What the newest version says, and a word that only an older or hidden face has. */
export const LINES = [
  'Lease of a garden plot',
  'The yearly rent is 40 EUR.',
  'The deposit is 900 EUR.',
  'Signed by {{signer1}} here',
]
export const OTHER_FACE = 'OTHERFACE'

export interface Odd {
  readonly content?: string | Buffer
  /** Entries of the content's dictionary, of the resources beside the fonts, of the page and of the catalog. */
  readonly contentEntries?: string
  readonly resources?: string
  readonly page?: string
  readonly catalog?: string
  readonly fonts?: string
  /** The page's /Contents, and the /Kids of the page tree with what follows. */
  readonly contents?: string
  readonly kids?: string
  /** From number 6 on. */
  readonly objects?: readonly string[]
}

const USUAL: Required<Odd> = {
  content: linesOf(LINES).join('\n'),
  contentEntries: '',
  resources: '',
  page: '',
  catalog: '',
  fonts: '/F1 5 0 R',
  contents: '4 0 R',
  kids: '[3 0 R]/Count 1',
  objects: [],
}

export function contract(odd: Odd = {}, builder = new PdfBuilder()): PdfBuilder {
  const { content, contentEntries, resources, page, catalog, fonts, contents, kids, objects } = { ...USUAL, ...odd }
  builder.entries.set(0, { type: 'free' })
  builder.object(1, `<</Type/Catalog/Pages 2 0 R${catalog}>>`)
  builder.object(2, `<</Type/Pages/Kids${kids}>>`)
  const own = `/Resources<</Font<<${fonts}>>${resources}>>${page}`
  builder.object(3, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${contents}${own}>>`)
  builder.stream(4, contentEntries, content)
  builder.object(5, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>')
  for (const [index, body] of objects.entries()) builder.object(6 + index, body)
  return builder
}

/** The file of a contract. */
export function contractFile(odd: Odd): Buffer {
  return contract(odd).table('/Root 1 0 R').bytes()
}

/** Content for each line of text. */
export function linesOf(texts: readonly string[]): string[] {
  return texts.map((text, index) => `BT /F1 12 Tf 20 ${780 - index * 20} Td (${text}) Tj ET`)
}

/** The lines with something before, between or after them. */
export function linesWith(addition: string, random: SeededRandom, last = LINES.length): string {
  const lines = linesOf(LINES)
  lines.splice(random(last + 1), 0, addition)
  return lines.join('\n')
}

export function streamObject(entries: string, data: string): string {
  return `<<${entries}/Length ${data.length}>>stream\n${data}\nendstream`
}

/** A form that shows the other face. */
export const OTHER_FORM = streamObject(
  '/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>',
  `BT /F1 12 Tf 20 450 Td (${OTHER_FACE}) Tj ET`,
)
