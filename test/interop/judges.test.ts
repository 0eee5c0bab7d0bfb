// Tests the validators on files of other programs: one that accepts everything would prove nothing about our seals.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PDFDocument, rgb } from 'pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureSystemPackages } from '../../hack/system-packages.mjs'
import { judgeWithOpenssl } from '../support/judges/openssl-cms.ts'
import { judgeWithPdfsig } from '../support/judges/pdfsig.ts'
import { judgeWithPyhanko } from '../support/judges/pyhanko.ts'
import { checkWithQpdf, describeWithMutool } from '../support/judges/structure.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { comparePages } from '../support/judges/pixels.ts'
import { runProgram } from '../support/clients/run-program.ts'

const SIGNED = pdfFixture('signed-pyhanko.pdf')

let folder: string
let root: string // the certificate in signed-pyhanko.pdf, which is self-signed
let flipped: string // the same file with one letter of the title changed

beforeAll(async () => {
  ensureSystemPackages()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-judges-'))
  root = path.join(folder, 'root.pem')
  flipped = path.join(folder, 'flipped.pdf')
  const bytes = await readFile(SIGNED)
  const der = Buffer.from(/\/Contents <([0-9a-f]+)>/i.exec(bytes.toString('latin1'))?.[1] ?? '', 'hex')
  await runProgram('openssl', ['cms', '-cmsout', '-inform', 'DER', '-noout', '-certsout', root], der)
  bytes[bytes.indexOf('(Lease of garden plot 14)') + 1]! ^= 1
  await writeFile(flipped, bytes)
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a signature made by pyHanko', () => {
  test('is valid and complete for pdfsig', async () => {
    const [signature] = await judgeWithPdfsig(SIGNED)
    expect(signature).toMatchObject({ field: 'Approval', subFilter: 'ETSI.CAdES.detached', valid: true, wholeDocument: true })
  })

  test('is trusted by pyHanko and OpenSSL when its certificate is the anchor', async () => {
    const [verdict] = await judgeWithPyhanko([SIGNED], root)
    expect(verdict?.signatures[0]).toMatchObject({ intact: true, trusted: true, coverage: 'ENTIRE_FILE', bottomLine: true })
    expect(await judgeWithOpenssl(SIGNED, root)).toMatchObject({ verified: true })
  })

  test('is unchanged for MuPDF', async () => {
    expect(await describeWithMutool(SIGNED)).toEqual(['The document is unchanged since signing.'])
  })

  test('is rejected by every validator after one flipped bit', async () => {
    expect(await judgeWithPdfsig(flipped)).toMatchObject([{ valid: false, validation: 'Digest Mismatch.' }])
    expect(await judgeWithPyhanko([flipped], root)).toMatchObject([{ signatures: [{ intact: false, bottomLine: false }] }])
    expect(await judgeWithOpenssl(flipped, root)).toMatchObject({ verified: false })
    expect(await describeWithMutool(flipped)).not.toEqual(['The document is unchanged since signing.'])
  })

  test('is not trusted under another root', async () => {
    const other = path.join(folder, 'other.pem')
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null']
    await runProgram('openssl', [...args, '-subj', '/CN=Another root', '-out', other])
    expect(await judgeWithOpenssl(SIGNED, other)).toMatchObject({ verified: false })
    expect(await judgeWithPyhanko([SIGNED], other)).toMatchObject([{ signatures: [{ intact: true, trusted: false }] }])
  })

  test('does not cover a file that grew', async () => {
    const grown = path.join(folder, 'grown.pdf')
    await writeFile(grown, Buffer.concat([await readFile(SIGNED), Buffer.from('% more\n')]))
    expect(await judgeWithPdfsig(grown)).toMatchObject([{ valid: true, wholeDocument: false }])
    expect(await judgeWithPyhanko([grown], root)).toMatchObject([{ signatures: [{ coverage: 'ENTIRE_REVISION' }] }])
  })
})

describe('structure and pixels', () => {
  test('qpdf reports a wrong cross-reference', async () => {
    const broken = path.join(folder, 'broken.pdf')
    const text = await readFile(pdfFixture('reportlab.pdf'), 'latin1')
    await writeFile(broken, text.replace(/startxref\s+\d+/, 'startxref\n7'), 'latin1')
    expect(await checkWithQpdf(pdfFixture('reportlab.pdf'))).toEqual({ clean: true, complaints: '' })
    expect(await checkWithQpdf(broken)).toMatchObject({ clean: false })
  })

  test.each([
    { file: 'boxes.pdf', page: 0, renderer: 'poppler' },
    { file: 'boxes.pdf', page: 1, renderer: 'mupdf' },
    { file: 'rotated-90.pdf', page: 0, renderer: 'poppler' },
    { file: 'rotated-270.pdf', page: 1, renderer: 'mupdf' },
  ] as const)('a change of $file is stray for $renderer unless it lies in the named area', async ({ file, page, renderer }) => {
    const before = pdfFixture(file)
    const after = path.join(folder, `${renderer}-${file}`)
    await drawSquare(before, after, page)
    const corners = [
      [120, 300],
      [150, 300],
      [150, 330],
      [120, 330],
    ] as const
    const right = await comparePages(before, after, [{ page, corners }], renderer)
    expect(right.stray).toEqual(new Map())
    expect(right.areas[0]?.changedShare).toBeGreaterThan(0.7)
    const elsewhere = corners.map(([x, y]) => [x, y + 50] as const)
    const wrong = await comparePages(before, after, [{ page, corners: elsewhere }], renderer)
    expect(wrong.stray.get(page)).toBeGreaterThan(800)
    expect(wrong.areas).toMatchObject([{ changedShare: 0 }])
  })
})

// A black square with its lower left corner at 120, 300 in the page's user space.
async function drawSquare(before: string, after: string, page: number): Promise<void> {
  const document = await PDFDocument.load(await readFile(before))
  document.getPage(page).drawRectangle({ x: 120, y: 300, width: 30, height: 30, color: rgb(0, 0, 0) })
  await writeFile(after, await document.save())
}
