// The API on its servers without NATS, SMTP and workers, and then without one server after the other: it serves what it can, and answers
// the rest with a retryable error.
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { type Answer, type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { signer } from '../support/clients/signer.ts'
import { type TcpFront, tcpFront } from '../support/faults/tcp-front.ts'
import { testDatabase } from '../support/servers/test-database.ts'
import { startTier, type TierProcess } from '../support/servers/tier-process.ts'
import { validSettings } from '../support/servers/valid-settings.ts'

const PATIENCE = { timeout: 150_000, interval: 100 }

let endings: AsyncDisposableStack
let url: string
let api: TierProcess
let store: TcpFront
let postgres: TcpFront
let client: ApiClient

beforeAll(async () => {
  endings = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-serving-'))
  endings.defer(() => rm(folder, { recursive: true, force: true }))
  const database = endings.use(await testDatabase())
  const valid = await validSettings(database.url, folder)
  const databaseUrl = new URL(database.url)
  postgres = tcpFront(await freePort(), Number(databaseUrl.port))
  databaseUrl.port = String(postgres.port)
  store = tcpFront(await freePort(), Number(new URL(valid['SEALWRIGHT_S3_ENDPOINT'] ?? '').port))
  await Promise.all([postgres.open(), store.open()])
  for (const front of [postgres, store]) endings.defer(() => front.close())
  url = `http://127.0.0.1:${valid['SEALWRIGHT_PORT']}`
  api = startTier(['api/main.ts'], {
    ...valid,
    SEALWRIGHT_DATABASE_URL: databaseUrl.href,
    SEALWRIGHT_S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
  })
  endings.defer(async () => void (await api.stop()))
  await vi.waitFor(async () => expect(await readiness()).toBe('200 ok, red: '), PATIENCE)
  client = await apiClient(url, await createOrganisation({ database: database.system }, { name: 'Test organisation' }))
})
afterAll(() => endings.disposeAsync())

/** For example `200 degraded, red: storage`. */
async function readiness(): Promise<string> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined)
  if (!response) return 'no answer'
  const { status, checks }: { status: string; checks: Record<string, { ok: boolean }> } = JSON.parse(await response.text())
  const red = Object.entries(checks).flatMap(([name, { ok }]) => (ok ? [] : [name]))
  return `${response.status} ${status}, red: ${red.join()}`
}

const upload = async () => await client.upload('/api/v1/documents', await readFile(pdfFixture('reportlab.pdf')))

function expectToBeRepeatable({ status, headers, body }: Answer): void {
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  expect(body).toMatchObject({ error: 'Service Unavailable', message: expect.any(String), traceId: expect.any(String) })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1/)
}

test('without NATS, SMTP and workers it accepts uploads, sends, signs, and serves reads', async () => {
  const { id, tokens } = await aSentEnvelope(client, { signers: [ADA, BEN] })
  for (const { token } of tokens) await signAs({ url }, token)
  expect((await client.get(`/api/v1/envelopes/${id}`)).body).toMatchObject({ status: 'COMPLETED' })
  expect((await client.get('/api/v1/envelopes')).body.totalElements).toBe(1)
  expect(await readiness()).toBe('200 ok, red: ')
})

test('without its store it serves reads, sends and signs; an upload can be retried, and then succeeds', async () => {
  const { id, tokens } = await aSentEnvelope(client)
  const { id: draft } = (
    await client.post('/api/v1/envelopes', { title: 'x', signers: [ADA], documentIds: [(await upload()).body.id] })
  ).body
  await store.close()
  await expect.poll(readiness, PATIENCE).toBe('200 degraded, red: storage')
  expectToBeRepeatable(await upload())
  expect((await client.post(`/api/v1/envelopes/${draft}/send`)).status).toBe(200)
  expect((await signer(url, tokens[0]?.token ?? '').open()).status).toBe(200)
  await signAs({ url }, tokens[0]?.token ?? '')
  expect((await client.get(`/api/v1/envelopes/${id}`)).body).toMatchObject({ status: 'COMPLETED' })
  await store.open()
  expect((await upload()).status).toBe(201)
  await expect.poll(readiness, PATIENCE).toBe('200 ok, red: ')
})

test('without Postgres it is alive, not ready, and every request can be retried, and then succeeds', async () => {
  const { id, tokens } = await aSentEnvelope(client)
  await postgres.close()
  await expect.poll(readiness, PATIENCE).toMatch(/^503 unavailable, red: database/)
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  expectToBeRepeatable(await client.get(`/api/v1/envelopes/${id}`))
  expectToBeRepeatable(await client.post(`/api/v1/envelopes/${id}/cancel`, { reason: 'x' }))
  expectToBeRepeatable(await signer(url, tokens[0]?.token ?? '').open())
  expectToBeRepeatable(await upload())
  await postgres.open()
  await expect.poll(readiness, PATIENCE).toBe('200 ok, red: ')
  expect((await client.get(`/api/v1/envelopes/${id}`)).body).toMatchObject({ status: 'SENT' })
})

test('on a stop it exits cleanly', async () => {
  expect(await api.stop()).toBe(0)
})
