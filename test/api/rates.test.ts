import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { newToken } from '#core/platform/crypto/tokens.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type ApiClient, clientWithToken } from '../support/clients/api-client.ts'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { secondReplica } from '../support/servers/second-replica.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let anyone: ApiClient

// The test acts as the proxy: each test uses separate client addresses.
beforeAll(async () => {
  service = await testService({
    SEALWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE: '50',
    SEALWRIGHT_RATE_UPLOADS_PER_MINUTE: '2',
    SEALWRIGHT_RATE_TOKEN_PER_MINUTE: '3',
    SEALWRIGHT_RATE_CEREMONY_PER_TOKEN_PER_MINUTE: '4',
    SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE: '6',
    SEALWRIGHT_RATE_VERIFY_PER_MINUTE: '2',
  })
  anyone = clientWithToken(service.url)
  await stopClock()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Stops the clock, so that nothing refills; `seconds` moves it forward. */
async function stopClock(seconds = 0): Promise<void> {
  stoppedAt ??= new Date()
  const at = new Date(stoppedAt.getTime() + seconds * 1_000).toISOString()
  await service.database.owner.unsafe(
    `create or replace function sealwright_now() returns timestamptz language sql stable as 'select timestamptz ''${at}'''`,
  )
}
let stoppedAt: Date | undefined

let addresses = 0
const newAddress = () => `203.0.113.${++addresses}`
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })

async function many(times: number, ask: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let index = 0; index < times; index++) answers.push(await ask(index))
  return answers
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status)
const headersOf = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')]

describe('the request quota of an organisation', () => {
  // requirements: decisions/smaller/request quota, decisions/token/rates, decisions/token/429
  test("allows a fifth of a minute's quota at once, then answers 429 with the quota and Retry-After", async () => {
    const { client } = await service.anotherOrganisation()
    const answers = await many(11, () => client.get('/api/v1/workspaces'))
    expect(statuses(answers)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    const refused = answers[10]!
    expect(refused.body).toMatchObject({
      status: 429,
      code: 'QUOTA_EXCEEDED',
      path: '/api/v1/workspaces',
      quota: { dimension: 'API_REQUESTS_PER_MINUTE', limit: 50, current: 10 },
    })
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(headersOf(refused)).toEqual(['"requests";q=50;w=60;sealwright-burst=10', '"requests";r=0;t=2'])
  })

  test('is reported in every response, also in other errors', async () => {
    const { client } = await service.anotherOrganisation()
    const answers = [
      await client.get('/api/v1/workspaces'),
      await client.get(`/api/v1/envelopes/${randomUUID()}`),
      await client.post('/api/v1/envelopes', { title: '' }),
    ]
    expect(statuses(answers)).toEqual([200, 404, 400])
    expect(answers.map((answer) => headersOf(answer)[1])).toEqual([9, 8, 7].map((left) => `"requests";r=${left};t=2`))
  })

  // requirements: decisions/token/429
  test('rejects a request before it has any effect', async () => {
    const { client, organisation } = await service.anotherOrganisation()
    const create = () => client.post('/api/v1/envelopes', { title: 'One', signers: [{ name: 'A', email: 'a@example.test' }] })
    expect(statuses(await many(12, create)).filter((status) => status === 201)).toHaveLength(10)
    const made = await service.database.owner`select 1 from envelopes where org_id = ${organisation.orgId}`
    expect(made).toHaveLength(10)
  })

  test('is not consumed by requests without a valid token', async () => {
    const { client } = await service.anotherOrganisation()
    const bad = clientWithToken(service.url, `${client.token.slice(0, -4)}AAAA`)
    const answers = await many(15, () => bad.get('/api/v1/workspaces'))
    expect(new Set(statuses(answers))).toEqual(new Set([401]))
    expect(headersOf(answers[0]!)).toEqual([null, null])
    expect(headersOf(await client.get('/api/v1/workspaces'))[1]).toBe('"requests";r=9;t=2')
  })

  // requirements: decisions/token/rates
  test('counts uploads as well, which also have a rate limit without a quota', async () => {
    const { client } = await service.anotherOrganisation()
    const pdf = await readFile(pdfFixture('reportlab.pdf'))
    const answers = await many(3, () => client.upload('/api/v1/documents', pdf))
    expect(statuses(answers)).toEqual([201, 201, 429])
    expect(headersOf(answers[0]!)).toEqual([
      '"requests";q=50;w=60;sealwright-burst=10, "uploads";q=2;w=60;sealwright-burst=2',
      '"requests";r=9;t=2, "uploads";r=1;t=30',
    ])
    expect(answers[2]!.body).toMatchObject({ code: 'RATE_LIMITED' })
    expect(answers[2]!.body).not.toHaveProperty('quota')
    expect(answers[2]!.headers.get('retry-after')).toBe('30')
    expect((await client.get('/api/v1/workspaces')).status).toBe(200)
  })
})

describe('the ceremony', () => {
  const open = (token: string, address: string) => anyone.send('GET', `/api/v1/sign/${token}`, from(address))

  // requirements: decisions/token/rates
  test('is limited per link, from any address', async () => {
    const { client } = await service.anotherOrganisation()
    const { tokens } = await aSentEnvelope(client)
    const answers = await many(5, () => open(tokens[0]!.token, newAddress()))
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 429])
    expect(answers[4]!.body).toMatchObject({ code: 'RATE_LIMITED', path: '/api/v1/sign/***' })
    expect(headersOf(answers[0]!)).toEqual([
      '"ceremony-address";q=6;w=60;sealwright-burst=6, "ceremony-token";q=4;w=60;sealwright-burst=4',
      '"ceremony-address";r=5;t=10, "ceremony-token";r=3;t=15',
    ])
  })

  // requirements: decisions/token/rates
  test('is limited per address, for any token', async () => {
    const address = newAddress()
    const answers = await many(7, () => open(newToken(), address))
    expect(statuses(answers)).toEqual([404, 404, 404, 404, 404, 404, 429])
    expect((await open(newToken(), newAddress())).status).toBe(404)
  })

  test('counts malformed tokens for their address and stores nothing about them', async () => {
    const address = newAddress()
    const countBuckets = async () => (await service.database.owner`select 1 from rates`).length
    const before = await countBuckets()
    const answers = await many(7, (index) => open(`guess-${index}`, address))
    expect(statuses(answers)).toEqual([404, 404, 404, 404, 404, 404, 429])
    expect(headersOf(answers[0]!)[0]).toBe('"ceremony-address";q=6;w=60;sealwright-burst=6')
    expect(await countBuckets()).toBe(before + 1)
  })

  test("does not consume a link's rate for a rejected address", async () => {
    const { client } = await service.anotherOrganisation()
    const { tokens } = await aSentEnvelope(client)
    const flood = newAddress()
    await many(6, () => open(newToken(), flood))
    expect(new Set(statuses(await many(6, () => open(tokens[0]!.token, flood))))).toEqual(new Set([429]))
    expect((await open(tokens[0]!.token, newAddress())).status).toBe(200)
  })

  test('counts an IPv6 address by its /64', async () => {
    const answers = await many(7, (index) => open(newToken(), `2001:db8:7:7:${index}::1`))
    expect(statuses(answers)).toEqual([404, 404, 404, 404, 404, 404, 429])
    expect((await open(newToken(), '2001:db8:7:8::1')).status).toBe(404)
  })
})

// requirements: decisions/token/rates
test('the public check is limited per address and refills by the database clock', async () => {
  const address = newAddress()
  const check = () => anyone.send('GET', `/api/v1/verify?id=${randomUUID()}&h=x`, from(address))
  expect(statuses(await many(3, check))).toEqual([200, 200, 429])
  await stopClock(30)
  await new Promise<void>((resolve) => void setTimeout(resolve, 250)) // a refusal is cached for 200 ms
  expect(statuses(await many(2, check))).toEqual([200, 429])
})

describe('the token endpoint', () => {
  const ask = (form: Record<string, string>, address: string) =>
    fetch(`${service.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form), ...from(address) })

  // requirements: decisions/token/rates
  test("is limited per client and address, in the API's error form", async () => {
    const { clientId, clientSecret } = service.organisation
    const good = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const address = newAddress()
    for (const secret of ['wrong', clientSecret, 'wrong']) await ask({ ...good, client_secret: secret }, address)
    const refused = await ask(good, address)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      status: 429,
      error: 'Too Many Requests',
      code: 'RATE_LIMITED',
      path: '/oauth2/token',
    })
    expect(refused.headers.get('retry-after')).toBe('20')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    // Neither another client nor the same client at another address is limited.
    expect((await ask({ ...good, client_id: 'swc_another' }, address)).status).toBe(401)
    expect((await ask(good, newAddress())).status).toBe(200)
  })

  // requirements: decisions/token/rates
  test('is limited per network, whatever the client and the address in it', async () => {
    const guess = (index: number, network: string) =>
      ask({ grant_type: 'client_credentials', client_id: `swc_${index}`, client_secret: 'x' }, `${network}${index}`)
    for (const [network, other] of [
      ['198.51.100.', '198.51.101.'],
      ['2001:db8:1:2::', '2001:db8:1:3::'],
    ] as const) {
      const answers = []
      for (let index = 1; index <= 31; index++) answers.push(await guess(index, network))
      expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 401), 429])
      expect(answers.at(-1)!.headers.get('ratelimit-policy')).toBe('"token-network";q=30;w=60;sealwright-burst=30')
      expect((await guess(1, other)).status).toBe(401)
    }
  })

  test('counts requests without a client by address', async () => {
    const address = newAddress()
    const answers = []
    for (let index = 0; index < 4; index++) answers.push((await ask({ grant_type: 'password' }, address)).status)
    expect(answers).toEqual([400, 400, 400, 429])
  })
})

test('unknown paths, probes and pages are not limited', async () => {
  const address = newAddress()
  for (const path of ['/livez', '/api/v1/nowhere', '/oauth2/jwks', '/verify'])
    expect(new Set(statuses(await many(10, () => anyone.send('GET', path, from(address)))))).not.toContain(429)
})

test('the database contains no plain address or token', async () => {
  const rows = await service.database.owner`select * from rates`
  expect(rows.length).toBeGreaterThan(10)
  expect(JSON.stringify(rows)).not.toContain('203.0.113')
  expect(rows.every((row) => Buffer.isBuffer(row['key']) && row['key'].length === 32)).toBe(true)
})

// requirements: decisions/token/503
test('without the database a request is answered 503, not allowed', async () => {
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', pool: 1, role: 'sealwright_api' })
  await using replica = await secondReplica({ ...service.api, database: away })
  const answer = await clientWithToken(replica.url).send('GET', `/api/v1/sign/${newToken()}`, from(newAddress()))
  expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(answer.headers.get('retry-after')).toBe('5')
  await away.end({ timeout: 1 })
})
