// Audit reports in third-party programs: qpdf finds no errors, poppler reads names in any script.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { drawReport } from '#core/audit-report/drawing/draw-report.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAuditReport, aReportedSigner, aReportEvent } from '../support/builders/audit-report.ts'
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
