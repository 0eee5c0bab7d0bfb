// Irregular uploads: which are accepted in which way, and which are refused with what advice. A refused file is never changed.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import type { InspectionAnswer } from '#core/pdf/upload/inspect-thread.ts'
import { inspect } from '#core/pades/signatures/upload-thread.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { fieldCase, pdfFixture, realFile } from '../../../../support/builders/pdf-fixtures.ts'
import { simpleBuilder, simplePdf } from '../../../../support/builders/pdf-builder.ts'
import { REAL_FILES } from '../../../../support/builders/real-files.ts'
import { pdfText } from '../../../../support/judges/pdf-text.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'upload-'))
const place = path.join(folder, 'upload.pdf')
// File 24 is a form with scripts.
const OPTIONS = { path: place, refuseActiveContent: false, repairDocuments: true }
const SAVE_AGAIN = 'Open it and save it again as PDF.'

afterAll(() => rmSync(folder, { recursive: true }))

async function upload(bytes: Buffer, options: Partial<typeof OPTIONS> = {}): Promise<InspectionAnswer> {
  writeFileSync(place, bytes)
  return inspect({ ...OPTIONS, ...options })
}

/** These bodies replace the objects from number 2 on: page tree, page, content. */
function tree(...bodies: string[]): Buffer {
  const builder = simpleBuilder()
  bodies.forEach((body, index) => builder.object(index + 2, body))
  return builder.table('/Root 1 0 R').bytes()
}

const EMPTY = '<</Length 0>>stream\n\nendstream'
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>'

describe('a readable file with one flaw', () => {
  // requirements: decisions/documents/irregular
  test.each(REAL_FILES)('%s is %s', async (name, way, reason) => {
    copyFileSync(realFile(name), place)
    const uploaded = readFileSync(place)
    const answer = await inspect(OPTIONS)
    if (!answer.ok) throw new Error(answer.message)
    const document = readFileSync(place)
    expect(answer.inspection.pageCount).toBe(1)
    expect(await pdfText(document)).toBe('Contract text')
    if (way === 'read') {
      expect(answer.normalisation).toBeNull()
      expect(document).toEqual(uploaded)
      return
    }
    expect(answer.normalisation).toEqual({
      reason,
      sizeBytes: document.length,
      sha256: createHash('sha256').update(document).digest(),
    })
    expect(answer.inspection.warnings).toEqual([expect.objectContaining({ code: 'NORMALISED', page: null })])
    expect(uploaded.includes(document)).toBe(way === 'trimmed')
    // The result needs no leniency, and is the same in every run.
    expect(inspectPdf(bufferSource(document), OPTIONS)).toEqual({ ...answer.inspection, warnings: [] })
    copyFileSync(realFile(name), place)
    await inspect(OPTIONS)
    expect(readFileSync(place)).toEqual(document)
  })

  test.each(REAL_FILES.filter(([, way]) => way !== 'read'))('%s is refused when repair is switched off', async (name) => {
    const uploaded = readFileSync(realFile(name))
    expect(await upload(uploaded, { repairDocuments: false })).toMatchObject({ ok: false })
    expect(readFileSync(place)).toEqual(uploaded)
  })
})

describe('is refused and not changed:', () => {
  const signed = readFileSync(pdfFixture('signed-pyhanko.pdf'))
  const encryptedAndSigned = Buffer.concat([readFileSync(realFile('29-encrypted-aes-256')), Buffer.from('%/ByteRange')])
  const readable = 'The document is not a readable PDF:'
  const twoContents = simplePdf({ page: '/Contents 5 0 R' })
  const wrongCount = '<</Type/Pages/Kids[3 0 R]/Count 2>>'
  const lost = (pages: string): string => `The document is damaged: ${pages} cannot be read. Upload a complete copy of the file.`

  test.each<[string, Buffer, string, string]>([
    [
      'a signed file with bytes before its header',
      Buffer.concat([Buffer.from('\n\n'), signed]),
      'DOCUMENT_INVALID',
      `${readable} there are bytes before its header. It has a signature, which a repair would break. Print it to a plain PDF and upload that.`,
    ],
    [
      'a signed file with an empty password',
      encryptedAndSigned,
      'DOCUMENT_ENCRYPTED',
      'The document is encrypted. It has a signature, which a repair would break. Print it to a plain PDF and upload that.',
    ],
    [
      'a file with a password',
      readFileSync(realFile('30-encrypted-with-password')),
      'DOCUMENT_ENCRYPTED',
      'The document cannot be opened without its password. Save it without password protection and upload that.',
    ],
    [
      'an encrypted attachment',
      readFileSync(fieldCase('f11-attachment-only-encrypted')),
      'DOCUMENT_ENCRYPTED',
      'A file attached to the document is encrypted. Remove the attachment and upload the document without it.',
    ],
    [
      'a damaged form with usage rights and a signature',
      usageRights('<</Type/Sig/ByteRange[0 1 2 3]>>'),
      'DOCUMENT_INVALID',
      `The document does not look the same in every viewer: the file holds an object 2 that its cross-reference table does not list. It has a signature, which a repair would break. Print it to a plain PDF and upload that.`,
    ],
    ['a text', Buffer.from('Dear Sir or Madam'), 'DOCUMENT_INVALID', `${readable} it does not start like a PDF. ${SAVE_AGAIN}`],
    ['a header alone', Buffer.from('%PDF-1.7\n'), 'DOCUMENT_INVALID', `${readable} its end is missing. ${SAVE_AGAIN}`],
    [
      'a page with two contents, because readers disagree which one counts',
      twoContents,
      'DOCUMENT_INVALID',
      `${readable} a page has the same key twice. ${SAVE_AGAIN}`,
    ],
    ['a page that is missing', tree('<</Type/Pages/Kids[3 0 R 9 0 R]/Count 2>>', PAGE), 'DOCUMENT_INVALID', lost('1 of 2 pages')],
    [
      'a page that is null, and counted',
      tree('<</Type/Pages/Kids[3 0 R null]/Count 2>>', PAGE),
      'DOCUMENT_INVALID',
      lost('1 of 2 pages'),
    ],
    [
      'a page that the tree counts and does not list',
      tree(wrongCount, PAGE, EMPTY, PAGE),
      'DOCUMENT_INVALID',
      lost('1 of 2 pages'),
    ],
    [
      'a branch without its pages',
      tree('<</Type/Pages/Kids[3 0 R 5 0 R]/Count 4>>', PAGE, EMPTY, '<</Parent 2 0 R/Count 3>>'),
      'DOCUMENT_INVALID',
      lost('3 of 4 pages'),
    ],
    [
      'a tree that counts too few pages, because readers show no others',
      tree('<</Type/Pages/Kids[3 0 R 6 0 R]/Count 1>>', PAGE, EMPTY, 'null', PAGE),
      'DOCUMENT_INVALID',
      `${readable} the file holds an object 2 that its cross-reference table does not list, and Chrome shows 1 page instead of 2. ${SAVE_AGAIN}`,
    ],
    [
      'an object before the header',
      Buffer.concat([Buffer.from('4 0 obj null endobj\n'), simplePdf()]),
      'DOCUMENT_INVALID',
      `${readable} object 4 is before its header. ${SAVE_AGAIN}`,
    ],
    [
      'a wrong count, and content with a newer generation',
      simpleBuilder().object(2, wrongCount).object(4, EMPTY, 1).bytes(),
      'DOCUMENT_INVALID',
      `${readable} a reference in it leads to an old version of object 4. ${SAVE_AGAIN}`,
    ],
    [
      'content that hides the next object',
      simpleBuilder()
        .object(4, '<</Length 9>>stream\n(upstream) Tj\nendstream')
        .object(6, EMPTY)
        .object(7, '(endstream)')
        .bytes(),
      'DOCUMENT_INVALID',
      `${readable} object 4 is damaged, and object 6 with it. ${SAVE_AGAIN}`,
    ],
    [
      'a wrong count and content that is missing',
      tree('<</Type/Pages/Kids[3 0 R]/Count 2>>', PAGE.replace('4 0 R', '9 0 R')),
      'DOCUMENT_INVALID',
      `${readable} the content of page 1 is missing. ${SAVE_AGAIN}`,
    ],
    [
      'a wrong count and a page that is a branch too',
      tree('<</Type/Pages/Kids[3 0 R]/Count 2>>', PAGE.replace('>>', '/Kids[]>>')),
      'DOCUMENT_INVALID',
      `${readable} its page tree is damaged. ${SAVE_AGAIN}`,
    ],
    [
      'a table that names an old version of an object',
      withOldPage(),
      'DOCUMENT_INVALID',
      `${readable} its cross-reference table refers to an old version of object 3. ${SAVE_AGAIN}`,
    ],
  ])('%s', async (_, bytes, code, message) => {
    expect(await upload(bytes)).toEqual({ ok: false, code, message })
    expect(readFileSync(place)).toEqual(bytes)
  })
})

/** A wrong count, and a second page object 3 that the table does not name. */
function withOldPage(): Buffer {
  const builder = simpleBuilder().object(2, '<</Type/Pages/Kids[3 0 R]/Count 2>>')
  const named = builder.entries.get(3)
  builder.object(3, PAGE.replace('200 200', '400 400'))
  if (named !== undefined) builder.entries.set(3, named)
  return builder.table('/Root 1 0 R').bytes()
}

test.each([
  ['a form with usage rights', usageRights()],
  ['an encrypted file without /ID', withoutId(readFileSync(realFile('29-encrypted-aes-256')))],
])('%s is written again', async (_, bytes) => {
  expect(await upload(bytes)).toMatchObject({ ok: true, inspection: { pageCount: 1 } })
  expect(readFileSync(place).includes('/ByteRange')).toBe(false)
})

/** A wrong count, and the signature of a reader's vendor. */
function usageRights(...objects: string[]): Buffer {
  const rights = '<</Type/Sig/ByteRange[0 1 2 3]/Reference[<</TransformMethod/UR3>>]>>'
  const builder = simpleBuilder({ catalog: '/Perms<</UR3 6 0 R>>', objects: [rights, ...objects] })
  return builder.object(2, '<</Type/Pages/Kids[3 0 R]/Count 2>>').table('/Root 1 0 R').bytes()
}

function withoutId(bytes: Buffer): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replace(/\/ID ?\[[^\]]*\]/, (id) => ' '.repeat(id.length)),
    'latin1',
  )
}

test.each([
  ['in order', '[5 0 R 3 0 R]/Count 9', ['200', '100']],
  ['that is used twice', '[3 0 R 3 0 R]/Count 2', ['200', '200']],
])('an irregular page tree keeps each page %s', async (_, kids, widths) => {
  const bytes = tree(
    `<</Type/Pages/Kids${kids}>>`,
    PAGE,
    EMPTY,
    '<</Kids[6 0 R]/Count 1/Parent 2 0 R>>',
    PAGE.replace('200 200', '100 100').replace('2 0 R', '5 0 R'),
  )
  expect(await upload(bytes)).toMatchObject({ ok: true, inspection: { pageCount: widths.length } })
  const document = readFileSync(place)
  expect([...document.toString('latin1').matchAll(/\/MediaBox *\[ *0 0 (\d+)/g)].map(([, width]) => width)).toEqual(widths)
})
