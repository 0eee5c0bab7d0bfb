// A restore, from the backup to the first envelope afterwards, and what the check says at each step.
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deleteOrphans } from '#core/envelope/document/delete-orphans.ts'
import { raiseWatermark } from '#core/installation/raise-watermark.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft, aSentEnvelope } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { aSignedEnvelope, signAs } from '../support/builders/signed-envelope.ts'
import { runAsProcess, runInProcess } from '../support/clients/command-line.ts'
import { snapshotDatabase } from '../support/servers/database-snapshot.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const settings = () => ({
  SEALWRIGHT_DATABASE_URL: service.database.url,
  SEALWRIGHT_INSTALLATION_KEY: service.installationKey.toString('base64'),
  SEALWRIGHT_DATA_DIR: service.dataDir,
})

interface Answer {
  ok: boolean
  behind: string | null
  checked: Record<string, number | null>
  problemCounts: Record<string, number>
  problems: { kind: string; subject: string | null }[]
}

async function verify(...options: string[]): Promise<Answer & { code: number; found: string[] }> {
  const { code, stdout, stderr } = await runInProcess(settings(), ['backup', 'verify', '--json', ...options])
  expect(stderr).toBe('')
  const answer: Answer = JSON.parse(stdout)
  return { ...answer, code, found: answer.problems.map(({ kind, subject }) => `${kind} ${subject}`).toSorted() }
}

const raise = () => raiseWatermark(service.system, newThrottledLog(service.system.log, 'store.rolled_back'))
const keysOf = async (envelopeId: string) => {
  const rows = await service.database.owner<{ original: string; sealed: string | null; report: string | null }[]>`
    select d.storage_key as original, s.storage_key as sealed, r.storage_key as report
    from documents d
    left join sealed_documents s on s.document_id = d.id
    left join audit_reports r on r.envelope_id = d.envelope_id
    where d.envelope_id = ${envelopeId}`
  return rows[0]!
}
const upload = async () => {
  const { body } = await service.client.upload('/api/v1/documents', await readFile(pdfFixture('reportlab.pdf')))
  const [row] = await service.database.owner<{ key: string }[]>`select storage_key as key from documents where id = ${body.id}`
  return row!.key
}
async function listed(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of service.api.storage.list('organisations/', new Date(Date.now() + 60_000))) keys.push(key)
  return keys
}

/** Seals and makes reports. */
async function complete(token: string): Promise<void> {
  await signAs(service, token)
  await service.sealEnvelopes()
  await service.makeReports()
}

describe('a restore of the database to an earlier time', () => {
  test('is detected, its losses are named, nothing is deleted, and envelopes go on', async () => {
    const kept = await aSignedEnvelope(service)
    await service.makeReports()
    const open = await aSentEnvelope(service.client)
    const dropped = await aDraft(service.client)
    await raise()
    expect(await verify('--content')).toMatchObject({
      code: 0,
      ok: true,
      behind: null,
      checked: { originals: 3, sealedCopies: 1, reports: 1, objects: 5, leftOver: 0, customResources: null },
    })

    await using backup = await snapshotDatabase(service.database.url)
    await complete(open.tokens[0]!.token)
    const lost = await keysOf(open.id)
    const lateUpload = await upload()
    const droppedKey = (await keysOf(dropped.id)).original
    expect((await service.client.send('DELETE', `/api/v1/envelopes/${dropped.id}`)).status).toBe(204)
    await raise()
    expect((await verify()).ok).toBe(true)
    const objects = await listed()

    await backup.restore()
    const after = await verify()
    expect(after).toMatchObject({ code: 1, ok: false, behind: 'database' })
    expect(after.found).toEqual([
      'DATABASE_BEHIND null',
      `OBJECT_MISSING ${droppedKey}`,
      ...[lateUpload, lost.sealed, lost.report].map((key) => `OBJECT_WITHOUT_ROW ${key}`).toSorted(),
    ])
    const file = path.join(service.dataDir, 'problems.jsonl')
    const verified = await runInProcess(settings(), ['backup', 'verify', '--problems', file])
    expect(verified.stdout).toMatch(/^PROBLEMS FOUND\nThe database was restored to an earlier time than the object store\. /)
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(5)

    await raise()
    await service.database.moveClock(86_400 + 60)
    await deleteOrphans(service.system)
    await service.database.moveClock(0)
    expect((await listed()).toSorted()).toEqual(objects.toSorted())
    expect(await service.readLog()).toContain('store.rolled_back')

    const { code, stdout } = await runInProcess(settings(), ['backup', 'accept', '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, { accepted: 'database' }])
    await raise()
    expect((await verify()).behind).toBeNull()

    await complete(open.tokens[0]!.token)
    const sealed = await service.client.get(`/api/v1/envelopes/${open.id}`)
    expect(sealed.body.status).toBe('COMPLETED')
    const again = await keysOf(open.id)
    expect(again.original).toBe(lost.original)
    expect([again.sealed, again.report]).not.toContain(null)

    await service.database.moveClock(86_400 + 60)
    await deleteOrphans(service.system)
    await service.database.moveClock(0)
    const left = await listed()
    expect(left).not.toContain(lateUpload)
    for (const { original, sealed: copy, report } of [await keysOf(kept.id), again])
      expect(left).toEqual(expect.arrayContaining([original, copy, report]))
    expect((await verify('--content')).found).toEqual([`OBJECT_MISSING ${droppedKey}`])
    expect(JSON.parse((await runInProcess(settings(), ['backup', 'accept', '--json'])).stdout)).toEqual({ accepted: null })
  })
})

describe('objects that are not as they were stored', () => {
  test('are named: by size at once, by content with --content', async () => {
    const { sealed, original } = await keysOf((await aSignedEnvelope(service)).id)
    const fileOf = (key: string | null) => path.join(service.dataDir, 'storage', 'objects', key!)
    const before = (await verify()).found
    const added = async (...options: string[]) => (await verify(...options)).found.filter((each) => !before.includes(each))

    const bytes = await readFile(fileOf(sealed))
    bytes[100] = bytes[100]! ^ 1
    await writeFile(fileOf(sealed), bytes)
    expect(await added()).toEqual([])
    expect(await added('--content')).toEqual([`OBJECT_DIFFERS ${sealed}`])
    await appendFile(fileOf(original), 'x')
    expect(await added()).toEqual([`OBJECT_DIFFERS ${original}`])
  })
})

describe('the command', () => {
  test('prints one JSON value as a process', async () => {
    const { stdout, stderr } = await runAsProcess(settings(), ['backup', 'verify', '--json'])
    expect([Object.keys(JSON.parse(stdout)), stderr]).toEqual([
      ['ok', 'behind', 'watermarks', 'checked', 'problemCounts', 'problems'],
      '',
    ])
  })

  test('refuses an object store that is not that of the database, and a file that exists', async () => {
    const file = path.join(service.dataDir, 'log')
    const existing = await runInProcess(settings(), ['backup', 'verify', '--problems', file])
    expect([existing.code, existing.stdout]).toEqual([1, ''])
    expect(existing.stderr).toContain('EEXIST')
    const elsewhere = await runInProcess({ ...settings(), SEALWRIGHT_DATA_DIR: path.join(service.dataDir, 'other') }, [
      'backup',
      'verify',
    ])
    expect([elsewhere.code, elsewhere.stdout]).toEqual([1, ''])
    expect(elsewhere.stderr).toMatch(/SEALWRIGHT_DATA_DIR: this installation stores its documents in a different store\.\n$/)
    expect(await readdir(path.join(service.dataDir, 'other', 'storage', 'objects'))).toEqual([])
  })
})
