// `npm start` on a disk that fills up while envelopes go through, and has room again: nothing half-written ever counts as stored.
// The disk is not really full, which would need a file system of its own and so the rights to mount one: the kernel refuses the service to let any file
// grow beyond some kilobytes (RLIMIT_FSIZE by `prlimit`). Writes then fail in the middle of a file, as they do on a full disk; only the code differs, and
// a signal that would end the process is to be heard.
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
/** Less than the document has, and than a sealed copy: both break off in the middle. */
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

test('uploads are refused in clear words, seals and mails wait, and all is done once there is room', async () => {
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

test('every file in the store is whole and recorded, and nothing is left of those that broke off', async () => {
  const recorded = await sql<{ key: string; sha256: string }[]>`
    select storage_key as key, encode(sha256, 'hex') as sha256 from documents
    union all select storage_key, encode(sha256, 'hex') from sealed_documents`
  expect(recorded.length).toBe(2 * (WALK.envelopes + 1))
  const stored = await hashesOf(path.join(dataDir, 'storage', 'objects'))
  // Whose store it is.
  expect(stored.delete('installation/mark')).toBe(true)
  expect(stored).toEqual(new Map(recorded.map(({ key, sha256 }) => [key, sha256])))
  expect(await hashesOf(path.join(dataDir, 'storage', 'incoming'))).toEqual(new Map())
  expect(await hashesOf(path.join(dataDir, 'spool'))).toEqual(new Map())
})

/** SHA-256 of every file below the folder, by its path there. */
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
