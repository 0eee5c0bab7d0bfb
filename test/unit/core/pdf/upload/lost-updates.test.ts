// Uploads whose last update lost its end: the newest version, or a refusal. Never the older one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { InspectionAnswer } from '#core/pdf/upload/inspect-thread.ts'
import { inspect } from '#core/pades/signatures/upload-thread.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { type PdfBuilder, simpleBuilder } from '../../../../support/builders/pdf-builder.ts'
import { pdfText } from '../../../../support/judges/pdf-text.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'upload-'))
const place = path.join(folder, 'upload.pdf')
const SAVE_AGAIN = 'Open it and save it again as PDF.'
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>'

afterAll(() => rmSync(folder, { recursive: true }))

async function upload(bytes: Buffer): Promise<InspectionAnswer> {
  writeFileSync(place, bytes)
  return inspect({ path: place, refuseActiveContent: true, repairDocuments: true })
}

describe('an update that lost its end', () => {
  const [older, newer] = ['BT /F1 12 Tf 20 100 Td (Price: 100) Tj ET', 'BT /F1 12 Tf 20 100 Td (Price: 200) Tj ET']
  const differs = 'shows other words on page 1 than other readers'
  /** More than readers but Firefox search for an end. */
  const long = `%${'x'.repeat(5_000)}\n`

  /** The document with an older and a newer price, up to `end` of the newer. */
  function cutUpdate(end: string, update: (builder: PdfBuilder) => PdfBuilder = withContent): Buffer {
    const whole = update(simpleBuilder({ content: older }).table('/Root 1 0 R')).bytes()
    return whole.subarray(0, whole.lastIndexOf(end) + end.length)
  }

  function withContent(builder: PdfBuilder): PdfBuilder {
    return builder.stream(4, '', newer).raw(long).table('/Root 1 0 R')
  }

  test('is the newest version, where both readers see it', async () => {
    expect(await upload(cutUpdate('startxref\n'))).toMatchObject({ ok: true, normalisation: { reason: 'Its end is missing.' } })
    expect(await pdfText(readFileSync(place))).toBe('Price: 200')
  })

  test.each<[string, Buffer, string]>([
    ['within its content', cutUpdate('Price'), 'it ends within object 4'],
    [
      'within its content, behind a marker',
      cutUpdate('%%EOF', (builder) => builder.stream(4, '', `${newer}\n%%EOF`)),
      'it ends within object 4',
    ],
    ['so that Firefox shows the older version', cutUpdate('/Root'), `its end is missing, and Firefox ${differs}`],
    [
      'so that Chrome shows the older version',
      cutUpdate('startxref\n', (builder) => builder.stream(4, '', newer).table('/Root 1 0 R')),
      `its end is missing, and Chrome ${differs}`,
    ],
    [
      'so that both show the older version',
      cutUpdate('/Root', (builder) => builder.stream(4, '', newer).table('/Root 1 0 R')),
      `object 4 is after its end, and Chrome ${differs}`,
    ],
    [
      'and other pages',
      cutUpdate('endobj\n', (builder) =>
        builder
          .object(7, '<</Type/Catalog/Pages 8 0 R>>')
          .object(8, '<</Type/Pages/Kids[9 0 R]/Count 1>>')
          .object(9, PAGE.replace('2 0 R', '8 0 R'))
          .raw(long),
      ),
      'object 7 is a newer catalog than the one that its trailer names',
    ],
    [
      'and a damaged object stream',
      cutUpdate('startxref\n', (builder) => {
        return builder.stream(7, '/Type/ObjStm/N 1/First 99', `3 0 ${PAGE}`).raw(long).xrefStream(8, '/Root 1 0 R')
      }),
      'object 7, which holds others, is damaged',
    ],
  ])('%s is refused', async (_, uploaded, reason) => {
    expect(await upload(uploaded)).toMatchObject({
      ok: false,
      message: `The document is not a readable PDF: ${reason}. ${SAVE_AGAIN}`,
    })
    expect(readFileSync(place)).toEqual(uploaded)
  })
})
