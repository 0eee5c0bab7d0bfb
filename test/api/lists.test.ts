import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessToken, type Answer, type ApiClient, clientWithToken } from '../support/clients/api-client.ts'
import { ADA, aDraft, aSentEnvelope } from '../support/builders/envelopes.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
/** Oldest first. */
let ids: string[]

beforeAll(async () => {
  service = await testService()
  ids = []
  for (let number = 0; number < 7; number++) {
    const labels = {
      number: String(number),
      parity: number % 2 ? 'odd' : 'even',
      ...(number === 3 && { cost_center: 'a:b=c' }),
      ...(number === 4 && { place: 'Caf\u00e9' }),
    }
    const { body } = await service.client.post('/api/v1/envelopes', { title: `Lease ${number} 100%_x`, signers: [ADA], labels })
    ids.push(body.id)
  }
})
afterAll(() => service[Symbol.asyncDispose]())

async function list(
  query = '',
  client: ApiClient = service.client,
): Promise<{ status: number; numbers: number[]; body: Answer['body'] }> {
  const { status, body } = await client.get(`/api/v1/envelopes${query}`)
  return { status, body, numbers: body.content?.map(({ id }: { id: string }) => ids.indexOf(id)) }
}

// requirements: decisions/envelopes/orgId
test.each(['/envelopes', '/envelopes/stats', '/workspaces'])("%s may only name the caller's own organisation", async (path) => {
  const { orgId } = service.organisation
  const answerOf = async (named: string) => {
    const { status, body } = await service.client.get(`/api/v1${path}?orgId=${named}`)
    return [status, body.code]
  }
  expect(await answerOf(orgId.toUpperCase())).toEqual([200, undefined])
  expect(await answerOf(crypto.randomUUID())).toEqual([404, 'ORGANISATION_NOT_FOUND'])
  expect(await answerOf('x')).toEqual([400, 'VALIDATION_FAILED'])
})

describe('listEnvelopes', () => {
  // requirements: service-api/page/*, service-api/organisation/listEnvelopes, service-api/limits/list pagination, decisions/envelopes/order
  test('answers newest first, with the same shape as getEnvelope', async () => {
    const { status, numbers, body } = await list()
    expect([status, numbers]).toEqual([200, [6, 5, 4, 3, 2, 1, 0]])
    expect(body).toMatchObject({ page: 0, size: 20, totalElements: 7, totalPages: 1, totalCapped: false })
    expect(body.content[0]).toEqual((await service.client.get(`/api/v1/envelopes/${ids[6]}`)).body)
  })

  // requirements: decisions/envelopes/status filter, decisions/envelopes/labels filter, decisions/envelopes/title filter, decisions/envelopes/page, size, decisions/smaller/query, decisions/smaller/unreadable workspaceId
  test.each([
    ['?page=1&size=3', [3, 2, 1], { page: 1, size: 3, totalElements: 7, totalPages: 3 }],
    ['?page=9', [], { page: 9, totalElements: 7 }],
    ['?size=500', [6, 5, 4, 3, 2, 1, 0], { size: 100 }],
    ['?title=lease%203', [3], {}],
    ['?title=LEASE', [6, 5, 4, 3, 2, 1, 0], {}],
    ['?title=%25_', [6, 5, 4, 3, 2, 1, 0], {}],
    ['?title=%25%25', [], {}],
    ['?title=', [6, 5, 4, 3, 2, 1, 0], {}],
    ['?labels=parity=odd', [5, 3, 1], {}],
    ['?labels=parity:odd,number=3', [3], {}],
    ['?labels=cost_center', [3], {}],
    ['?labels=parity=odd,%20number%20=3', [3], {}],
    ['?labels=cost_center=a:b=c', [3], {}],
    ['?labels=cost_center,parity=even', [], {}],
    ['?labels=place=Caf%C3%A9', [4], {}],
    ['?labels=place=Cafe%CC%81', [4], {}],
    ['?labels=parity=odd,parity=even', [], {}],
    ['?labels=parity=odd,parity=odd', [5, 3, 1], {}],
    ['?fromDate=0001-01-01T00:00:00Z&toDate=9999-12-31T23:59:59Z', [6, 5, 4, 3, 2, 1, 0], {}],
    ['?size=2147483647', [6, 5, 4, 3, 2, 1, 0], { size: 100 }],
    ['?status=DRAFT', [6, 5, 4, 3, 2, 1, 0], {}],
    ['?status=SENT,COMPLETED', [], { totalElements: 0, totalPages: 0 }],
    ['?unknown=1', [6, 5, 4, 3, 2, 1, 0], {}],
    [`?workspaceId=${randomUUID()}`, [], { totalElements: 0 }],
  ])('%s', async (query, numbers, page) => {
    const answer = await list(query)
    expect(answer.numbers).toEqual(numbers)
    expect(answer.body).toMatchObject(page)
  })

  // requirements: decisions/envelopes/fromDate, toDate
  test('from is inclusive, to is exclusive', async () => {
    const { body } = await list()
    const [third, fourth] = [body.content[4].createdAt, body.content[3].createdAt].map(encodeURIComponent)
    // createdAt is shown in milliseconds but stored in microseconds, so the third was created just after its shown time.
    expect((await list(`?fromDate=${third}&toDate=${fourth}`)).numbers).toEqual([2])
  })

  // requirements: decisions/envelopes/status filter, decisions/envelopes/labels filter, decisions/envelopes/fromDate, toDate, decisions/envelopes/page, size
  test.each([
    ['?page=-1', 'VALIDATION_FAILED'],
    ['?size=0', 'VALIDATION_FAILED'],
    ['?size=ten', 'VALIDATION_FAILED'],
    ['?page=1001&size=100', 'PAGE_TOO_DEEP'],
    ['?status=OPEN', 'INVALID_STATUS'],
    ['?status=draft', 'INVALID_STATUS'],
    ['?fromDate=yesterday', 'VALIDATION_FAILED'],
    ['?fromDate=2026-02-01T00:00:00Z&toDate=2026-01-01T00:00:00Z', 'VALIDATION_FAILED'],
    ['?workspaceId=x', 'VALIDATION_FAILED'],
    ['?title=a&title=b', 'VALIDATION_FAILED'],
    [`?title=${'x'.repeat(256)}`, 'VALIDATION_FAILED'],
    ['?labels==x', 'VALIDATION_FAILED'],
    ['?labels=parity,%20', 'VALIDATION_FAILED'],
    ['?fromDate=0000-12-31T23:59:59Z', 'VALIDATION_FAILED'],
    ['?fromDate=0001-01-01T00:00:00%2B01:00', 'VALIDATION_FAILED'],
    ['?toDate=9999-12-31T23:59:59-14:00', 'VALIDATION_FAILED'],
    ['?size=2147483648', 'VALIDATION_FAILED'],
    [`?labels=${Array.from({ length: 11 }, (_, i) => `k${i}`).join(',')}`, 'VALIDATION_FAILED'],
  ])('refuses %s with %s', async (query, code) => {
    const { status, body } = await list(query)
    expect([status, body.code]).toEqual([400, code])
  })

  // requirements: decisions/envelopes/who expires, decisions/envelopes/expiresAt
  test('an envelope whose expiry has passed is listed and counted as EXPIRED before any sweep', async () => {
    await using own = await testService()
    await aSentEnvelope(own.client, { linkTtlHours: 1 })
    await own.database.moveClock(3_700)
    const client = clientWithToken(own.url, await accessToken(own.url, own.organisation))
    expect((await client.get('/api/v1/envelopes?status=EXPIRED')).body.totalElements).toBe(1)
    expect((await client.get('/api/v1/envelopes?status=SENT')).body.totalElements).toBe(0)
    expect((await client.get('/api/v1/envelopes/stats')).body).toMatchObject({ sent: 0, expired: 1, total: 1 })
  })
})

describe('the title filter', () => {
  // requirements: decisions/envelopes/title filter
  test('finds parts of titles in any case, and returns titles unchanged', async () => {
    await using own = await testService()
    const titles = {
      'Οδός ΕΡΜΟΥ': ['ΟΔΌΣ', 'οδόσ', 'ερμου'],
      'Lange Straße': ['STRASSE', 'STRAẞE', 'strasse'],
      'Oﬃce in der Hauptgaſſe': ['OFFICE', 'gasse', 'GASSE'],
      'ŉ at 300 \u212A': ['ʼN AT', '300 k'],
      'Cafe\u0301 au lait': ['CAF\u00C9', 'caf\u00E9', 'cafe\u0301'],
    }
    for (const title of Object.keys(titles)) await own.client.post('/api/v1/envelopes', { title, signers: [ADA] })
    for (const [title, parts] of Object.entries(titles)) {
      for (const part of parts) {
        const { body } = await own.client.get(`/api/v1/envelopes?${new URLSearchParams({ title: part }).toString()}`)
        expect([part, body.content.map((each: Answer['body']) => each.title)]).toEqual([part, [title]])
      }
    }
  })
})

// requirements: service-api/organisation/getEnvelopeStats, decisions/smaller/unreadable workspaceId
test('getEnvelopeStats has a counter per status and their sum', async () => {
  await using own = await testService()
  await aDraft(own.client)
  await aSentEnvelope(own.client)
  const { id } = await aSentEnvelope(own.client)
  await own.client.post(`/api/v1/envelopes/${id}/cancel`)
  expect((await own.client.get('/api/v1/envelopes/stats')).body).toEqual({
    draft: 1,
    sent: 1,
    inProgress: 0,
    completed: 0,
    cancelled: 1,
    expired: 0,
    total: 3,
  })
  expect((await own.client.get(`/api/v1/envelopes/stats?workspaceId=${randomUUID()}`)).body.total).toBe(0)
})

// requirements: service-api/workspace/*, service-api/organisation/listWorkspaces
test('listWorkspaces shows General and the workspaces where the credential has a role', async () => {
  const owner = service.database.owner
  const { orgId } = service.organisation
  const [seen, hidden] = [randomUUID(), randomUUID()]
  await owner`insert into workspaces (org_id, id, name) values (${orgId}, ${seen}, 'Seen'), (${orgId}, ${hidden}, 'Hidden')`
  await owner`insert into credential_grants select org_id, id, ${seen}, array['envelope:read'] from credentials where org_id = ${orgId}`
  const { status, body } = await service.client.get('/api/v1/workspaces')
  expect(status).toBe(200)
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['General', 'Seen'])
  expect(body[0]).toEqual({
    id: service.organisation.generalWorkspaceId,
    orgId,
    name: 'General',
    isGeneral: true,
    groupsReady: true,
    createdAt: expect.any(String),
  })
})
