// What replicas share: the tokens of a rate and the single effect of an Idempotency-Key.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type ApiClient, clientWithToken } from '../support/clients/api-client.ts'
import { ADA } from '../support/builders/envelopes.ts'
import { postOnce, uploadOnce } from '../support/clients/keyed-requests.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { secondReplica } from '../support/servers/second-replica.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const ROUNDS = 200
const UPLOAD_ROUNDS = 25

let service: TestService
let replica: Awaited<ReturnType<typeof secondReplica>>
/** The organisation's client at each of the two replicas. */
let clients: [ApiClient, ApiClient]

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '0' })
  replica = await secondReplica(service.api)
  clients = [service.client, clientWithToken(replica.url, service.client.token)]
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

async function count(table: 'envelopes' | 'documents'): Promise<number> {
  const [row] = await service.database.owner`select count(*) as count from ${service.database.owner(table)}`
  return Number(row!['count'])
}

/** How often each kind of response occurred. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const kinds = answers.map(({ status, body, headers }) =>
    headers.get('idempotency-replayed') ? 'replayed' : (body.code ?? String(status)),
  )
  return Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((each) => each === kind).length]))
}

describe('two requests at once with one Idempotency-Key, at two replicas', () => {
  test(`create one envelope, ${ROUNDS} times`, async () => {
    const before = await count('envelopes')
    for (let round = 0; round < ROUNDS; round++) {
      const key = randomUUID()
      const body = { title: `Round ${round}`, signers: [ADA] }
      const answers = await Promise.all(clients.map((client) => postOnce(client, key, '/api/v1/envelopes', body)))
      expectOneEffect(answers)
    }
    expect(await count('envelopes')).toBe(before + ROUNDS)
  })

  test(`upload one document, ${UPLOAD_ROUNDS} times, and keep the room of one`, async () => {
    const pdf = await readFile(pdfFixture('reportlab.pdf'))
    const before = await count('documents')
    for (let round = 0; round < UPLOAD_ROUNDS; round++) {
      const key = randomUUID()
      expectOneEffect(await Promise.all(clients.map((client) => uploadOnce(client, key, '/api/v1/documents', pdf))))
    }
    expect(await count('documents')).toBe(before + UPLOAD_ROUNDS)
    const [room] = await service.database.owner`
      select storage_bytes = (select sum(size_bytes) from documents) as fits from organisations where id = ${service.organisation.orgId}`
    expect(room!['fits']).toBe(true)
  })
})

/** One took effect; the other got its response or a retry time. */
function expectOneEffect(answers: readonly Answer[]): void {
  const { '201': made, replayed = 0, IDEMPOTENCY_IN_PROGRESS: inProgress = 0, ...others } = tally(answers)
  expect([made, replayed + inProgress, others]).toEqual([1, 1, {}])
  const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
  expect(new Set(ids).size).toBe(1)
}

describe('a burst in parallel at two replicas', () => {
  test('is granted exactly, and so is the refill', async () => {
    const settings = { ...service.api.settings, quotaApiRequestsPerMinute: 600 }
    await using one = await secondReplica({ ...service.api, settings })
    await using two = await secondReplica({ ...service.api, settings })
    const both = [one, two].map(({ url }) => clientWithToken(url, service.client.token))
    const stop = async (seconds: number) =>
      service.database.owner.unsafe(
        `create or replace function sealwright_now() returns timestamptz language sql stable
           as 'select timestamptz ''${new Date(stoppedAt + seconds * 1_000).toISOString()}'''`,
      )
    const stoppedAt = Date.now()
    for (const [seconds, granted] of [
      [0, 120],
      [3, 30],
      [3.1, 1],
      [60, 120],
    ] as const) {
      await stop(seconds)
      await new Promise<void>((resolve) => void setTimeout(resolve, 250)) // a refusal is believed for a fifth of a second
      const answers = await Promise.all(
        both.flatMap((client) => Array.from({ length: 150 }, () => client.get('/api/v1/workspaces'))),
      )
      expect(tally(answers)).toEqual({ 200: granted, QUOTA_EXCEEDED: 300 - granted })
    }
    await service.database.moveClock(0)
  })
})
