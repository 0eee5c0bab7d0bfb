// Audit reports in third-party programs: qpdf finds no errors, poppler reads names in any script.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { drawReport } from '#core/audit-report/drawing/draw-report.ts'
import { planSeal } from '#core/audit-report/plan-seal.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAuditReport, aReportedSigner, aReportEvent } from '../support/builders/audit-report.ts'
import { judgeWithPdfsig } from '../support/judges/pdfsig.ts'
import { runProgram } from '../support/clients/run-program.ts'
import { checkWithQpdf, extractText } from '../support/judges/structure.ts'
import { NAUGHTY_STRINGS } from '../support/hostile/naughty-strings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-report-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function draw(name: string, report: Parameters<typeof anAuditReport>[0]): Promise<string> {
  const file = path.join(folder, `${name}.pdf`)
  await writeFile(file, await drawReport(anAuditReport(report)))
  return file
}

test.each([
  ['a short trail', 1],
  ['a trail of many pages', 400],
])('the report of %s is a sound file', async (name, length) => {
  const events = Array.from({ length }, (_, index) => aReportEvent({ seq: index + 1 }))
  expect(await checkWithQpdf(await draw(name, { events }))).toEqual({ clean: true, complaints: '' })
})

test.each([
  ['a short trail', 1],
  ['a trail of many pages', 400],
])('the seal of a report of %s is valid for other programs and for the command, over the whole file', async (name, length) => {
  const events = Array.from({ length }, (_, index) => aReportEvent({ seq: index + 1 }))
  const original = Buffer.from(await drawReport(anAuditReport({ events })))
  const now = new Date()
  const key = await newSelfSignedKey({ commonName: 'Test seal', organisation: 'Test', now })
  const { id: envelopeId } = anAuditReport({}).envelope
  const auditHead = { envelopeId, seq: length, hash: 'ab'.repeat(32) }
  const plan = planSeal(original)
  const sealed = await sealPdf({ original, plan, placements: [], forms: [], key, sealedAt: now, auditHead })
  const file = path.join(folder, `sealed ${name}.pdf`)
  await writeFile(file, sealed)
  expect(await judgeWithPdfsig(file)).toMatchObject([{ valid: true, wholeDocument: true, subFilter: 'ETSI.CAdES.detached' }])
  expect(await checkWithQpdf(file)).toEqual({ clean: true, complaints: '' })
  const root = path.join(folder, 'root.pem')
  await writeFile(
    root,
    `-----BEGIN CERTIFICATE-----\n${(key.chain.at(-1) ?? key.certificate).toString('base64')}\n-----END CERTIFICATE-----\n`,
  )
  const { stdout } = await runProgram(process.execPath, [
    path.resolve('api/cli/main.ts'),
    'verify',
    file,
    '--trust',
    root,
    '--json',
  ])
  expect(JSON.parse(stdout.toString('utf8'))).toMatchObject({ valid: true, trusted: true })
})

test('names of every script can be extracted from it', async () => {
  const names = [
    'محمد بن عبد الله',
    'שרה כהן',
    '山田 太郎',
    '김철수',
    'Владимир Петров',
    'Nguyễn Thị Minh Khai',
    'Ελένη',
    'สมชาย',
  ]
  const signers = names.map((name, index) => aReportedSigner({ order: index + 1, name, signature: null }))
  const text = await extractText(await draw('names', { signers }))
  for (const name of names) expect(text.normalize('NFC')).toContain(name)
})

test('no user-supplied text breaks the file', async () => {
  const events = NAUGHTY_STRINGS.map((naughty, index) =>
    aReportEvent({ seq: index + 1, who: naughty, what: naughty, by: naughty }),
  )
  const file = await draw('naughty', { envelope: { title: NAUGHTY_STRINGS[12]! }, organisation: NAUGHTY_STRINGS[20]!, events })
  expect(await checkWithQpdf(file)).toEqual({ clean: true, complaints: '' })
  expect(await extractText(file)).toContain(`SHA-256 hash of the last entry, no. ${events.length}`)
})
