// `npm start` on a disk that fills up while envelopes are processed, and then has room again: a partial file never counts as stored.
// Instead of a full disk, which needs the right to mount one, RLIMIT_FSIZE (`prlimit`) limits file sizes to some kilobytes. Writes then
// fail halfway as on a full disk, with another error code and a signal that must be handled.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiClient } from '../support/clients/api-client.ts'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { assertInvariants } from '../support/invariants/invariants.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { type RunningService, startService } from '../support/servers/running-service.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { startRetryingClient } from '../support/clients/retrying-client.ts'

const run = promisify(execFile)
const WALK = { envelopes: 20, concurrency: 20, overMs: 10_000, withinMs: 120_000 }
/** Less than the document and a sealed copy: both writes fail halfway. */
const ROOM_BYTES = 4_096
const POLL = { timeout: 60_000, interval: 100 }
const WORDS = 'A file in SEALWRIGHT_DATA_DIR would exceed the file size limit of this process (ulimit -f).'

let dataDir: string
let service: RunningService
let sql: postgres.Sql
let pdf: Buffer

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-full-'))
  pdf = await readFile(pdfFixture('libreoffice.pdf'))
  service = await startService(dataDir, {
    NODE_OPTIONS: "--import=data:text/javascript,process.on('SIGXFSZ',()=>{})",
    SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE: '0',
    SEALWRIGHT_RATE_TOKEN_PER_MINUTE: '0',
    SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE: '0',
    SEALWRIGHT_RATE_UPLOADS_PER_MINUTE: '0',
  })
  sql = postgres(service.databaseUrl, { max: 1, onnotice: () => {} })
})
afterAll(async () => {
  await sql.end({ timeout: 5 })
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const letFilesGrowTo = (bytes: number | 'unlimited') => run('prlimit', ['--pid', String(service.dev.pid), `--fsize=${bytes}:`])

test('uploads are rejected with a clear message, seals and emails wait, and all is done once there is room', async () => {
  const client = await apiClient(service.dev.baseUrl, service.dev)
  const { id, tokens } = await aSentEnvelope(client)
  const walk = startRetryingClient(service.dev, pdf, WALK)
  await expect.poll(() => walk.all.flatMap(({ signed }) => signed).length, POLL).toBeGreaterThan(4)
  await letFilesGrowTo(ROOM_BYTES)
  const upload = await client.upload('/api/v1/documents', pdf)
  expect([upload.status, upload.body.code, upload.headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '5'])
  await signAs({ url: service.dev.baseUrl }, tokens[0]?.token ?? '')
  const sealOf = () => sql`select state, failures, last_error from seal_jobs where envelope_id = ${id}`
  await expect.poll(sealOf, POLL).toEqual([{ state: 'WAITING', failures: 0, last_error: WORDS }])
  await letFilesGrowTo('unlimited')
  expect(walk.all.some(({ signed }) => signed.length < 2)).toBe(true)

  await walk.finished
  await assertInvariants(service.databaseUrl, walk.all, 90_000)
  expect(await readFile(path.join(dataDir, 'server.log'), 'utf8')).toContain(WORDS)
  expect(walk.failures).toBeGreaterThan(0)
  await expect.poll(sealOf, POLL).toEqual([{ state: 'DONE', failures: 0, last_error: null }])
})

test('every file in the store is complete and recorded, and partial ones are gone', async () => {
  const recorded = await sql<{ key: string; sha256: string }[]>`
    select storage_key as key, encode(sha256, 'hex') as sha256 from documents
    union all select storage_key, encode(sha256, 'hex') from sealed_documents
    union all select storage_key, encode(sha256, 'hex') from audit_reports`
  expect(recorded.length).toBe(3 * (WALK.envelopes + 1))
  const stored = await hashesOf(path.join(dataDir, 'storage', 'objects'))
  // The store's installation mark.
  expect(stored.delete('installation/mark')).toBe(true)
  expect(stored).toEqual(new Map(recorded.map(({ key, sha256 }) => [key, sha256])))
  expect(await hashesOf(path.join(dataDir, 'storage', 'incoming'))).toEqual(new Map())
  expect(await hashesOf(path.join(dataDir, 'spool'))).toEqual(new Map())
})

/** SHA-256 of every file below the folder, by relative path. */
async function hashesOf(folder: string): Promise<Map<string, string>> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const hashes = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name)
    return [
      path.relative(folder, file),
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ] as const
  })
  return new Map(await Promise.all(hashes))
}
