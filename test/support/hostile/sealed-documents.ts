// Sealed documents to forge: two pages, of which the first one needs several objects before the second one shows the price.
import { sealPdf } from '#core/pades/seal-pdf.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { readSealPlan } from '#core/pdf/plan/seal-plan.ts'
import { AUDIT_HEAD } from '../builders/audit-head.ts'
import { PdfBuilder } from '../builders/pdf-builder.ts'
import { drawSealForm } from '../builders/seal-form.ts'
import { openBytes } from '../judges/open-pdf.ts'

export const PRICE = 'BT /F1 12 Tf 20 100 Td (Price: 100) Tj ET'

/** The numbers of the objects that a forger can aim at. */
export interface Numbers {
  readonly price: number
  readonly state: number
  readonly font: number
  readonly clause: number
  readonly page: number
  /** The content that draws the seal. */
  readonly mark: number
  /** Nothing has this number; in some documents something refers to it. */
  readonly missing: number
}

const NUMBERS = { price: 6, state: 8, font: 7, clause: 9, page: 4, missing: 90 }

export interface SealedDocument {
  readonly name: string
  readonly bytes: Buffer
  readonly numbers: Numbers
  /** Whether it refers to the missing object. */
  readonly awaits: boolean
}

/** Each is sealed as it is: some have what an upload may not have, as older files do. */
export async function sealedDocuments(key: SigningKey, sealedAt: Date): Promise<SealedDocument[]> {
  const originals = {
    'with a table': build('table', ''),
    'with streams': build('stream', ''),
    'that refers to a missing object': build('table', `/G9 ${NUMBERS.missing} 0 R`),
  }
  return Promise.all(
    Object.entries(originals).map(async ([name, original]) => {
      const plan = readSealPlan(openBytes(original), [0])
      const placements = [{ form: 0, page: 0, matrix: [1, 0, 0, 1, 20, 140] as const, layout: 0 }]
      const forms = [await drawSealForm()]
      const bytes = await sealPdf({ original, plan, placements, forms, key, sealedAt, auditHead: AUDIT_HEAD })
      return { name, bytes, numbers: { ...NUMBERS, mark: markIn(bytes) }, awaits: name.endsWith('missing object') }
    }),
  )
}

function build(kind: 'table' | 'stream', states: string): Buffer {
  const { price, state, font, clause, page } = NUMBERS
  const builder = new PdfBuilder()
  const resources = `/Resources<</Font<</F1 ${font} 0 R>>/ExtGState<</G1 ${state} 0 R${states}>>/XObject<</C1 ${clause} 0 R>>>>`
  const members = new Map([
    [1, '<</Type/Catalog/Pages 2 0 R>>'],
    [2, `<</Type/Pages/Kids[3 0 R ${page} 0 R]/Count 2/MediaBox[0 0 200 200]${resources}>>`],
    [3, '<</Type/Page/Parent 2 0 R/Contents 5 0 R>>'],
    [page, `<</Type/Page/Parent 2 0 R/Contents ${price} 0 R>>`],
    [font, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
    [state, '<</Type/ExtGState/ca 1>>'],
  ])
  if (kind === 'table') for (const [num, body] of members) builder.object(num, body)
  else builder.objectStream(10, members)
  const drawn = states === '' ? '' : '/G9 gs '
  builder.stream(5, '', `/G1 gs ${drawn}BT /F1 12 Tf 20 100 Td (First page) Tj ET q /C1 Do Q`)
  builder.stream(price, '', PRICE)
  builder.stream(
    clause,
    `/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<</Font<</F1 ${font} 0 R>>>>`,
    'BT /F1 12 Tf 20 60 Td (until Friday) Tj ET',
  )
  if (kind === 'table') builder.entries.set(0, { type: 'free' })
  return (kind === 'table' ? builder.table('/Root 1 0 R') : builder.xrefStream(11, '/Root 1 0 R')).bytes()
}

function markIn(bytes: Buffer): number {
  const file = openBytes(bytes)
  const contents = file.resolve(file.page(0).dict.entries.get('Contents'))
  const last = contents.kind === 'array' ? contents.items.at(-1) : undefined
  if (last?.kind !== 'ref') throw new Error('the seal is not drawn by a stream of the page')
  return last.num
}
