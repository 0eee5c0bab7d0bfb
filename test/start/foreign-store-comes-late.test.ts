// A store that is down at the start and, when it returns, has another installation's mark: it is not used, and the process exits as it
// would have at the start.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { claimStore } from '#core/installation/claim-store.ts'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { openS3Store } from '#core/platform/storage/s3/s3-store.ts'
import { afterAll, beforeAll, test, vi } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { aSentEnvelope, ADA } from '../support/builders/envelopes.ts'
import { type FaultProxy, startFaultProxy } from '../support/faults/fault-proxy.ts'
import { newBucket } from '../support/servers/object-stores.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { API, CONTROLLER, EMBEDDED, SEAL } from '../support/faults/misconfigured-start.ts'
import { type TcpFront, tcpFront } from '../support/faults/tcp-front.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'
import { type Environment, startTier, type TierProcess } from '../support/servers/tier-process.ts'
import { validSettings } from '../support/servers/valid-settings.ts'

const PATIENCE = { timeout: 150_000, interval: 50 }
const SENTENCE = 'SEALWRIGHT_S3_ENDPOINT, _BUCKET: the store belongs to a different installation.'

let endings: AsyncDisposableStack
beforeAll(() => {
  endings = new AsyncDisposableStack()
})
afterAll(() => endings.disposeAsync())

interface Ground {
  database: TestDatabase
  /** The store is behind the front, which is closed, and the proxy, which records the requests. */
  settings: Environment
  front: TcpFront
  proxy: FaultProxy
}

/** A separate database, and a route to another installation's bucket. */
async function ground(): Promise<Ground> {
  const database = endings.use(await testDatabase())
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-late-store-'))
  endings.defer(() => rm(folder, { recursive: true, force: true }))
  const valid = await validSettings(database.url, folder)
  const proxy = await startFaultProxy(valid['SEALWRIGHT_S3_ENDPOINT'] ?? '')
  endings.defer(() => proxy.close())
  const front = tcpFront(await freePort(), Number(new URL(proxy.url).port))
  endings.defer(() => front.close())
  const bucket = await newBucket()
  await markAsTheirs(openS3Store(bucket))
  const changed = { SEALWRIGHT_S3_ENDPOINT: `http://127.0.0.1:${front.port}`, SEALWRIGHT_S3_BUCKET: bucket.bucket }
  return { database, settings: { ...valid, ...changed }, front, proxy }
}

async function markAsTheirs(storage: ReturnType<typeof openS3Store>): Promise<void> {
  await using theirs = await testDatabase()
  await claimStore({ database: theirs.system, keys: deriveInstallationKeys(randomBytes(32)), storage })
  await storage.close()
}

function start(command: readonly string[], settings: Environment): TierProcess {
  const tier = startTier(command, settings)
  endings.defer(async () => void (await tier.stop()))
  return tier
}

test.concurrent.for([
  ['the API', API],
  ['a sealing worker', SEAL],
  ['the controller', CONTROLLER],
  ['the service in one process', EMBEDDED],
] as const)('ends %s', async ([, command], { expect }) => {
  const { settings, front } = await ground()
  const metricsPort = await freePort()
  const tier = start(command, { ...settings, SEALWRIGHT_METRICS_PORT: String(metricsPort) })
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/readyz`).catch(() => undefined)
    return response && JSON.parse(await response.text())
  }
  await expect.poll(ready, PATIENCE).toMatchObject({ status: 'degraded', checks: { storage: { ok: false } } })
  await front.open()
  expect(await tier.exited).toBe(1)
  expect(tier.words().at(-1)).toBe(SENTENCE)
})

test.concurrent('nothing is written to it or read from it before the mark is checked', async ({ expect }) => {
  const { settings, front, proxy, database } = await ground()
  await completeAnEnvelope(settings, database)
  const url = `http://127.0.0.1:${settings['SEALWRIGHT_PORT']}`
  const [api, seal] = [start(API, settings), start(SEAL, settings)]
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), PATIENCE)
  // It answers everything except requests for the mark.
  proxy.faults = ({ url: asked }) => (asked?.includes('installation/mark') ? 'silent' : undefined)
  await front.open()
  const marksAsked = () => proxy.seen.filter((each) => each.includes('installation/mark')).length
  await vi.waitFor(() => expect(marksAsked()).toBe(2), PATIENCE)
  const client = await clientOf(url, database)
  expect((await client.upload('/api/v1/documents', await readFile(pdfFixture('reportlab.pdf')))).status).toBe(503)
  const sealsFailed = () => seal.log().filter(({ msg }) => msg === 'job.failed').length
  const before = sealsFailed()
  await database.owner`update seal_jobs set due_at = sealwright_now()`
  await vi.waitFor(() => expect(sealsFailed()).toBeGreaterThan(before), PATIENCE)
  proxy.faults = () => undefined
  await front.close()
  await front.open()
  expect(await Promise.all([api.exited, seal.exited])).toEqual([1, 1])
  expect(proxy.seen.filter((each) => !/installation\/mark|checks|\?(uploads|list-type|location)/.test(each))).toEqual([])
})

async function clientOf(url: string, database: TestDatabase): Promise<ApiClient> {
  return apiClient(url, await createOrganisation({ database: database.system }, { name: 'Test organisation' }))
}

/** With another store, which keeps its document. */
async function completeAnEnvelope(settings: Environment, database: TestDatabase): Promise<void> {
  const port = String(await freePort())
  const { SEALWRIGHT_S3_ENDPOINT: _, ...rest } = settings
  const withFiles = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.includes('_S3_')))
  const url = `http://127.0.0.1:${port}`
  const api = start(API, { ...withFiles, SEALWRIGHT_PORT: port })
  await vi.waitFor(async () => void (await fetch(`${url}/readyz`)), PATIENCE)
  const { tokens } = await aSentEnvelope(await clientOf(url, database), { signers: [ADA] })
  await signAs({ url }, tokens[0]?.token ?? '')
  await api.stop()
  await database.owner`delete from installation_store`
}
