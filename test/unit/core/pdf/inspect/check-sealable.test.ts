// Every accepted document can be sealed, so that sealing does not fail after all have signed.
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../support/judges/open-pdf.ts'
import { PdfBuilder, simpleBuilder, simplePdf } from '../../../../support/builders/pdf-builder.ts'
import { SEALED_AT, sealedFile } from '../../pades/sealed-file.ts'

let key: SigningKey
beforeAll(async () => {
  key = await newSelfSignedKey({ commonName: 'Test seal', organisation: 'Test', now: SEALED_AT })
})

const inspect = (pdf: Buffer) => inspectPdf(bufferSource(pdf), { refuseActiveContent: true })

function withSize(size: number): Buffer {
  return simpleBuilder().table('/Root 1 0 R', { size }).bytes()
}

function withGeneration(gen: number): Buffer {
  const builder = new PdfBuilder()
  builder.object(1, '<</Type/Catalog/Pages 2 0 R>>')
  builder.object(2, `<</Type/Pages/Kids[3 ${gen} R]/Count 1>>`)
  builder.object(3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>', gen)
  builder.stream(4, '', 'n').entries.set(0, { type: 'free' })
  builder.table('/Root 1 0 R').object(5, '(x)')
  return builder.xrefStream(6, '/Root 1 0 R').bytes()
}

function nestedExtensions(depth: number): Buffer {
  return simplePdf({ catalog: '/Extensions 6 0 R', objects: [`<</A ${'['.repeat(depth)}${']'.repeat(depth)}>>`] })
}

describe('an accepted document can be sealed and verified', () => {
  test.each<[string, Buffer]>([
    ['a plain document', simplePdf()],
    ['the largest object numbers that leave room for a seal', withSize(8_288_607)],
    ['the largest generation', withGeneration(65_535)],
    ['extensions as deep as may be', nestedExtensions(98)],
  ])('%s', async (_, pdf) => {
    inspect(pdf)
    expect(verifyPdf(await sealedFile(key, pdf), { trust: [key.certificate] })).toMatchObject({ valid: true, reasons: [] })
  })
})

test.each<[string, Buffer, RegExp]>([
  ['object numbers that leave no room for a seal', withSize(8_388_000), /^DOCUMENT_INVALID: its trailer is damaged$/],
  ['a generation that there is none of', withGeneration(70_000), /^DOCUMENT_INVALID: its cross-reference table is damaged$/],
  [
    'bytes before the header',
    simplePdf({ prefix: '\n', fromHeader: true }),
    /^DOCUMENT_INVALID: there are bytes before its header$/,
  ],
])('%s is refused at upload', (_, pdf, refusal) => {
  expect(refusalOf(() => inspect(pdf))).toMatch(refusal)
})
