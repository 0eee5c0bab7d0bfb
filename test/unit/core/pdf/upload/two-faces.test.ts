// Uploads that viewers do not read alike: an unsigned one is normalised, so that all of them show what the signing page shows; a signed one is refused.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { inspect } from '#core/pades/signatures/upload-thread.ts'
import { findFlaw, newFlawContext } from '#core/pdf/inspect/content-flaws.ts'
import { newContentReader, nextOperator, readContent } from '#core/pdf/inspect/content-reader.ts'
import type { InspectionAnswer } from '#core/pdf/upload/inspect-thread.ts'
import { fieldCase } from '../../../../support/builders/pdf-fixtures.ts'
import { simpleBuilder, simplePdf } from '../../../../support/builders/pdf-builder.ts'
import { contractFile } from '../../../../support/hostile/odd/odd-document.ts'
import { extractText } from '../../../../support/judges/structure.ts'
import { pdfText } from '../../../../support/judges/pdf-text.ts'
import {
  CLAUSE,
  content,
  field,
  FORGED,
  form,
  IRREGULAR,
  note,
  SHOWS_100,
  withResources,
  withUnlisted,
} from './irregular-files.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'faces-'))
const place = path.join(folder, 'upload.pdf')
afterAll(() => rmSync(folder, { recursive: true }))

async function upload(bytes: Buffer): Promise<InspectionAnswer> {
  writeFileSync(place, bytes)
  return inspect({ path: place, refuseActiveContent: true, repairDocuments: true })
}

/** The entry that makes a file count as signed. */
const signed = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.from('%/ByteRange\n')])

const EVERY_OPERATOR = [
  'q 1 0 0 1 0 0 cm 1 w 0 J 0 j 10 M [1 2] 0 d /Perceptual ri 1 i /G gs Q',
  '0 0 m 1 1 l 0 0 1 1 2 2 c 0 0 1 1 v 0 0 1 1 y h 0 0 1 1 re S s f F f* B B* b b* n W n W* n',
  '/DeviceRGB CS /DeviceRGB cs 0 0 0 SC 0 0 0 sc 0 0 0 SCN 0 0 0 scn /P scn 0 G 0 g 0 0 0 RG 0 0 0 rg 0 0 0 1 K 0 0 0 1 k /S sh /X Do',
  'BT 0 Tc 0 Tw 100 Tz 9 TL /F1 9 Tf 0 Tr 0 Ts 0 0 Td 0 0 TD 1 0 0 1 0 0 Tm T* ( ) Tj [( ) -1 <20>] TJ ( ) \' 0 0 ( ) " ET',
  '/M MP BX EX +1 -1 m -.5 5. l',
].join('\n')

const wordsOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .toSorted()

/** pdf.js extracts the text of pages, not that of annotations. */
const isAnnotation = (reason: string): boolean => /^(?:The field|A note|A stamp)/.test(reason)

describe('an upload with two faces', () => {
  // requirements: decisions/documents/two readers
  test.each(IRREGULAR)('is normalised: %s', async (_, bytes, reason, words = 'Hello') => {
    expect(await upload(bytes)).toMatchObject({ ok: true, normalisation: { reason } })
    const document = readFileSync(place)
    expect(wordsOf(await extractText(place))).toEqual(wordsOf(words))
    if (!isAnnotation(reason)) expect(wordsOf(await pdfText(document))).toEqual(wordsOf(words))
    expect(document.includes('999999')).toBe(false)
    // The result is regular, and the same in every run.
    expect(await upload(document)).toMatchObject({ ok: true, normalisation: null })
    await upload(bytes)
    expect(readFileSync(place)).toEqual(document)
  })

  test.each<[string, Buffer, string]>([
    [
      'a drawing of another generation',
      withResources('/XObject<</X 6 5 R>>', { objects: [form(CLAUSE)], content: 'BT /F1 12 Tf 20 100 Td (Hello) Tj ET /X Do' }),
      'a reference on page 1 names object 6 with another generation than it has, and Chrome shows other words on page 1',
    ],
    ['a matrix that lacks a number', content('1 0 0 1 0 cm'), 'the operator cm lacks its operands, and'],
    ['a stray parenthesis', content(')'), 'a closing parenthesis has no opening one, and'],
    ['a content behind its end', withUnlisted(true), 'object 4 is after its end'],
    [
      'a part that ends within a comment',
      contractFile({ contents: '[4 0 R 6 0 R]', content: '1 w % a', objects: [form(CLAUSE, '')] }),
      'a part of the content of page 1 ends within a comment, and Chrome shows other words',
    ],
  ])('is refused where readers show different words: %s', async (_, bytes, reason) => {
    const message = expect.stringContaining(reason)
    expect(await upload(bytes)).toMatchObject({ ok: false, code: 'DOCUMENT_INVALID', message })
    expect(readFileSync(place)).toEqual(bytes)
  })

  test.each(IRREGULAR)('is refused when it is signed: %s', async (_, bytes, reason) => {
    const answer = await upload(signed(bytes))
    expect(answer).toMatchObject({ ok: false, code: 'DOCUMENT_INVALID', message: expect.stringContaining(reason.slice(1)) })
    expect(answer).toMatchObject({ message: expect.stringContaining('It has a signature') })
  })

  test.each<[string, string]>([
    ['a string that is shown without its other operands', 'BT /F1 9 Tf 20 60 Td (Deposit) " ET'],
    ['a string that is shown as an array', 'BT /F1 9 Tf 20 60 Td (Deposit) TJ ET'],
    ['an array that is shown as a string', 'BT /F1 9 Tf 20 60 Td [(Deposit)] Tj ET'],
    ['words in an array', '[ BT /F1 9 Tf 20 60 Td (Deposit) Tj ET ]'],
    ['words in a dictionary', '<< /A 1 BT /F1 9 Tf 20 60 Td (Deposit) Tj ET >>'],
    ['an image without data', 'BI /W 1 BT /F1 9 Tf 20 60 Td (Deposit) Tj ET'],
    ['data without an image', 'ID BT /F1 9 Tf 20 60 Td (Deposit) Tj ET'],
    ['a font that is missing', 'BT /F9 9 Tf 20 60 Td (Deposit) Tj ET'],
  ])('is refused where no reading of its words is right: %s', async (_, text) => {
    const bytes = content(text)
    expect(await upload(bytes)).toMatchObject({
      ok: false,
      code: 'DOCUMENT_INVALID',
      message: expect.stringContaining('the content of page 1 is damaged'),
    })
    expect(readFileSync(place)).toEqual(bytes)
  })
})

describe('what shows but does not print', () => {
  // requirements: decisions/documents/two readers
  test.each(['f01-text-field-no-print', 'f01-freetext-no-print', 'f01-stamp-no-print'])(
    'prints once it is normalised: %s',
    async (name) => {
      const reason = 'An annotation or a form field on page 1 shows but does not print.'
      expect(await upload(readFileSync(fieldCase(name)))).toMatchObject({
        ok: true,
        normalisation: { reason },
        inspection: { warnings: expect.arrayContaining([expect.objectContaining({ code: 'PRINT_FLAGS_SET', page: 0 })]) },
      })
      expect(await upload(readFileSync(place))).toMatchObject({ ok: true, normalisation: null })
    },
  )

  test('is said of a signed document, which stays as it is', async () => {
    const bytes = readFileSync(fieldCase('f01-signed-freetext-no-print'))
    const message = 'An annotation or a form field on page 1 shows but does not print.'
    const warnings = [{ code: 'SHOWN_NOT_PRINTED', page: 0, message }]
    expect(await upload(bytes)).toMatchObject({ ok: true, normalisation: null, inspection: { warnings } })
    expect(readFileSync(place)).toEqual(bytes)
  })

  test.each([
    ['4.0', 'normalised'],
    ['+4', 'normalised'],
    ['2.0', 'refused'],
    ['34.0', 'refused'],
    ['2', 'accepted'],
  ])('is judged as each reader reads the flags %s: %s', async (flags, expected) => {
    const stamp = `<</Type/Annot/Subtype/FreeText/Rect[9 9 99 99]/DA(/F1 9 Tf)/Contents(x)/F ${flags}/AP<</N 7 0 R>>>>`
    const look = '<</Type/XObject/Subtype/Form/BBox[0 0 90 90]/Length 12>>stream\n0 0 9 9 re f\nendstream'
    const answer = await upload(simplePdf({ page: '/Resources<</Font<</F1 5 0 R>>>>/Annots[6 0 R]', objects: [stamp, look] }))
    const what = !answer.ok ? 'refused' : answer.normalisation === null ? 'accepted' : 'normalised'
    expect([what, answer.ok ? undefined : answer.message]).toEqual([
      expected,
      expected === 'refused' ? expect.stringContaining('on page 1 that shows in some readers only') : undefined,
    ])
  })

  test('is refused where normalising is switched off', async () => {
    writeFileSync(place, readFileSync(fieldCase('f01-stamp-no-print')))
    const answer = await inspect({ path: place, refuseActiveContent: true, repairDocuments: false })
    expect(answer).toMatchObject({
      ok: false,
      code: 'DOCUMENT_ACTIVE_CONTENT',
      message: expect.stringContaining('print it to a PDF'),
    })
  })
})

describe('an upload with one face', () => {
  const older = simpleBuilder().table('/Root 1 0 R').stream(4, '', CLAUSE).table('/Root 1 0 R', { size: 6 })

  test.each<[string, Buffer]>([
    ['a content that a later section replaces', older.bytes()],
    [
      'objects in the data of another object',
      simplePdf({ objects: [`<</Length ${FORGED.length + 16}>>stream\n4 0 obj\n${FORGED}\nendobj\nendstream`] }),
    ],
    ['the word obj in strings and comments', simplePdf({ objects: ['(4 0 obj)', '%4 0 obj\n5'] })],
    [
      'a link to a page that is gone',
      simplePdf({ page: '/Resources<</Font<</F1 5 0 R>>>>/Annots[<</Subtype/Link/Rect[0 0 9 9]/Dest[90 0 R/Fit]>>]' }),
    ],
    ['an outline that is missing', simplePdf({ catalog: '/Outlines 90 0 R' })],
    ['an object in use with a later generation', simplePdf({ kind: 'stream' })],
    ['operands without an operator', content('1 2')],
    ['unknown operators', content('1 2 foo')],
    ['marked content with constants', content('/P<</A true/B null/C[false]/D<</E 1>>>>BDC EMC /P/M BDC EMC /P BMC EMC /P/M DP')],
    ['inline images', content('BI/W 1/H 1/IM true/D[1 0]ID x EI')],
    ['a restore that nothing follows', simplePdf({ content: `BT /F1 12 Tf 20 100 Td (Hello) Tj ET Q Q` })],
    ['blanks in a font that is missing', content('BT /F9 9 Tf 20 60 Td (  ) Tj ET')],
    ['no font at all', content('q /F9 9 Tf Q BT ( ) Tj ET')],
    ['a highlight without an appearance', note('Highlight/QuadPoints[20 60 180 60 20 20 180 20]')],
    ['an icon without an appearance', note('Text')],
    ['three operands of a place without text', content('BT 11.05 0 0 Td ET')],
    ['every other operator', content(EVERY_OPERATOR)],
    ['a field that shows its value', field('/FT/Tx/V(100)/AP<</N 7 0 R>>', '/NeedAppearances true', SHOWS_100)],
    ['an empty field', field('/FT/Tx')],
    ['a field with another format than its value', field('/FT/Tx/V(100.00)/AP<</N 7 0 R>>', '', SHOWS_100)],
  ])('is accepted as it is: %s', async (_, bytes) => {
    expect(await upload(bytes)).toMatchObject({ ok: true, normalisation: null })
    expect(readFileSync(place)).toEqual(bytes)
  })
})

test('every operator that takes operands is found without them', () => {
  const names =
    'cm w J j M d ri i gs m l c v y re CS cs SC sc SCN scn G g RG rg K k sh Do Tc Tw Tz TL Tf Tr Ts Td TD Tm Tj TJ \' " BMC BDC MP DP d0 d1'
  const reader = newContentReader()
  const missed = names.split(' ').filter((name) => {
    readContent(reader, Buffer.from(name), 0)
    return findFlaw(reader, nextOperator(reader), newFlawContext()) === undefined
  })
  expect(missed).toEqual([])
})
