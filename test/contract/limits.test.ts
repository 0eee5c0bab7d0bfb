// The contract's numbers on both sides of each limit, and the defaults of omitted fields.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '#core/platform/errors/codes.ts'
import { STATUS_OF_KIND } from '../../api/http/response/status-of-kind.ts'
import { ADA, aDraft, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { usageOf } from '../support/builders/rows.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const create = (fields: Record<string, unknown>) =>
  service.client.post('/api/v1/envelopes', { title: 'x', signers: [ADA], ...fields })
const ahead = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const DAY = 86_400
const labels = (count: number, value = 'v') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, value]))
/** Only characters of two UTF-16 units, or four bytes. */
const wide = (count: number) => '\u{1F58B}'.repeat(count)

// requirements: service-api/create/otpRequired, service-api/create/sequentialSigning, service-api/create/orgId, service-api/create/workspaceId, service-api/create/linkTtlHours, decisions/envelopes/signOrder
test('a body of title and signers: no code, no order, no expiry, no labels, in General, 72 hours', async () => {
  const { body } = await create({ signers: [ADA, BEN] })
  expect(body).toMatchObject({
    otpRequired: false,
    sequentialSigning: false,
    expiresAt: null,
    labels: {},
    message: null,
    documentCount: 0,
  })
  expect(body.workspaceId).toBe(service.organisation.generalWorkspaceId)
  expect(body.signers.map(({ signOrder }: { signOrder: number }) => signOrder)).toEqual([1, 2])
  const [row] = await service.database.owner`select link_ttl_seconds from envelopes where id = ${body.id}`
  expect(row!['linkTtlSeconds']).toBe(72 * 3_600)
  expect((await create({ orgId: service.organisation.orgId, workspaceId: service.organisation.generalWorkspaceId })).status).toBe(
    201,
  )
})

describe('a limit', () => {
  // requirements: decisions/envelopes/fields, decisions/envelopes/expiresAt, decisions/envelopes/signOrder, decisions/envelopes/label limits, decisions/smaller/rules between fields
  test.each([
    ['title', { title: wide(255) }, { title: wide(256) }, 400],
    ['title at its least', { title: ' ' }, { title: '' }, 400],
    ['message', { message: wide(10_000) }, { message: wide(10_001) }, 400],
    ["signer's name", { signers: [{ ...ADA, name: wide(255) }] }, { signers: [{ ...ADA, name: wide(256) }] }, 400],
    [
      'address',
      { signers: [{ ...ADA, email: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(56)}.test` }] },
      { signers: [{ ...ADA, email: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.test` }] },
      400,
    ],
    ['order', { signers: [{ ...ADA, signOrder: 999 }] }, { signers: [{ ...ADA, signOrder: 1_000 }] }, 400],
    [
      'number of signers',
      { signers: Array.from({ length: 50 }, () => ADA) },
      { signers: Array.from({ length: 51 }, () => ADA) },
      422,
    ],
    ['life of a link', { linkTtlHours: 2_160 }, { linkTtlHours: 2_161 }, 400],
    ['life of a link at its least', { linkTtlHours: 1 }, { linkTtlHours: 0 }, 400],
    ['earliest expiry', { expiresAt: ahead(330) }, { expiresAt: ahead(290) }, 422],
    ['latest expiry', { expiresAt: ahead(366 * DAY - 60) }, { expiresAt: ahead(366 * DAY + 60) }, 422],
    ['number of labels', { labels: labels(50) }, { labels: labels(51) }, 422],
    ['label key', { labels: { ['k'.repeat(63)]: 'v' } }, { labels: { ['k'.repeat(64)]: 'v' } }, 422],
    ['label value', { labels: { key: wide(256) } }, { labels: { key: wide(257) } }, 422],
    ['labels in all', { labels: labels(15, wide(256)) }, { labels: labels(16, wide(256)) }, 422],
  ])('of the %s', async (_name, inside, outside, status) => {
    expect((await create(inside)).status).toBe(201)
    expect((await create(outside)).status).toBe(status)
  })

  // requirements: decisions/envelopes/fields
  test.each([
    [20, 201],
    [21, 422],
  ])('of the number of documents: %i are answered with %i', async (count, status) => {
    const { orgId } = service.organisation
    const documentIds = Array.from({ length: count }, () => randomUUID())
    for (const id of documentIds)
      await service.database.owner`
        insert into documents (org_id, id, filename, size_bytes, sha256, storage_key, inspection, stored_at)
        values (${orgId}, ${id}, 'a.pdf', 1, '', ${id}, '{}', now())`
    expect((await create({ documentIds })).status).toBe(status)
    await service.database.owner`update organisations set storage_bytes = storage_bytes + ${count} where id = ${orgId}`
  })
})

describe('lists', () => {
  // requirements: service-api/page/totalElements, service-api/page/totalCapped, service-api/limits/list totalElements, decisions/envelopes/page, size
  test('count to 10,000 and report when there are more', async () => {
    await using own = await testService()
    const { orgId, generalWorkspaceId } = own.organisation
    const add = (count: number) => own.database.owner`
      insert into envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds)
      select ${orgId}, gen_random_uuid(), ${generalWorkspaceId}, 'x', false, false, 3600 from generate_series(1, ${count})`
    // In one statement, each row would visit the counter versions that the rows before it left.
    for (let rows = 0; rows < 10_000; rows += 500) await add(500)
    const full = (await own.client.get('/api/v1/envelopes?size=100&page=99')).body
    expect(full).toMatchObject({ totalElements: 10_000, totalPages: 100, totalCapped: false })
    expect(full.content).toHaveLength(100)
    await add(1)
    const beyond = (await own.client.get('/api/v1/envelopes?size=100&page=100')).body
    expect(beyond).toMatchObject({ totalElements: 10_000, totalPages: 100, totalCapped: true })
    expect(beyond.content).toHaveLength(1)
    expect((await own.client.get('/api/v1/envelopes?page=5000')).status).toBe(200)
    expect((await own.client.get('/api/v1/envelopes?page=5001')).body.code).toBe('PAGE_TOO_DEEP')
    expect((await own.client.get('/api/v1/envelopes/stats')).body.total).toBe(10_001)
  })
})

// requirements: decisions/smaller/OPEN_ENVELOPES
test('drafts and sent envelopes without an end are open', async () => {
  await using own = await testService()
  const open = async () => (await usageOf(own.database.owner, own.organisation)).openEnvelopes
  await aDraft(own.client)
  expect(await open()).toBe(1)
  const { id } = await aSentEnvelope(own.client, { signers: [ADA, BEN] })
  expect(await open()).toBe(2)
  await own.client.post(`/api/v1/envelopes/${id}/cancel`)
  expect(await open()).toBe(1)
})

describe('an error', () => {
  // requirements: service-api/error/*
  test('has these fields and no others', async () => {
    const { body, headers } = await service.client.get(`/api/v1/envelopes/${randomUUID()}?secret=1`)
    expect(body).toEqual({
      status: 404,
      error: 'Not Found',
      code: 'ENVELOPE_NOT_FOUND',
      message: expect.stringMatching(/\.$/),
      path: expect.stringMatching(/^\/api\/v1\/envelopes\/[\w-]{36}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      traceId: headers.get('x-request-id'),
    })
  })

  // requirements: service-api/error/quota
  test('of a quota names its dimension, limit and usage', async () => {
    await using own = await testService({ SEALWRIGHT_QUOTA_ENVELOPES_SENT_PER_DAY: '1' })
    await aSentEnvelope(own.client)
    const draft = await aDraft(own.client)
    const { status, body } = await own.client.post(`/api/v1/envelopes/${draft.id}/send`)
    expect([status, body.quota]).toEqual([429, { dimension: 'ENVELOPES_SENT_PER_DAY', limit: 1, current: 1 }])
  })

  const CODES: Record<number, readonly ErrorCode[]> = {
    400: ['VALIDATION_FAILED', 'MALFORMED_JSON', 'INVALID_STATUS', 'UNSUPPORTED_CONTENT_TYPE'],
    404: ['ENVELOPE_NOT_FOUND', 'DOCUMENT_NOT_FOUND', 'WORKSPACE_NOT_FOUND', 'SIGNING_LINK_NOT_FOUND', 'ROUTE_NOT_FOUND'],
    409: [
      ...(['ENVELOPE_NOT_DRAFT', 'ENVELOPE_ALREADY_SENT', 'ENVELOPE_NOT_CANCELLABLE', 'ENVELOPE_NOT_OPEN'] as const),
      ...(['ALREADY_SIGNED', 'NOT_YOUR_TURN', 'DOCUMENT_ALREADY_ATTACHED'] as const),
    ],
    422: ['NO_SIGNERS', 'NO_DOCUMENTS', 'DOCUMENT_INVALID', 'VIEW_REQUIRED', 'OTP_REQUIRED', 'SIGNATURE_IMAGE_INVALID'],
    429: ['QUOTA_EXCEEDED', 'RATE_LIMITED', 'OTP_SEND_LIMIT'],
  }
  // requirements: decisions/token/codes
  test.each(Object.entries(CODES))('of status %s has its codes', (status, codes) => {
    expect(codes.filter((code) => STATUS_OF_KIND[ERRORS[code].kind] !== Number(status))).toEqual([])
  })
})
