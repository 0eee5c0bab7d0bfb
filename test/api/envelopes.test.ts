import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, aDraft, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'
import { rateLimitHeaders } from '../support/judges/rate-limit-headers.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const DAY_MS = 86_400_000

function create(body: unknown) {
  return service.client.post('/api/v1/envelopes', body)
}

describe('createEnvelope', () => {
  // requirements: service-api/envelope/*, service-api/transitions/none to DRAFT, service-api/organisation/createEnvelope, service-api/organisation/getEnvelope, service-api/create/signers, service-api/create/expiresAt, service-api/create/labels, service-api/create/message, service-api/create/workspaceId, decisions/envelopes/expiresAt
  test('answers with the whole draft, filed in General', async () => {
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString()
    const { status, body } = await create({
      title: 'Lease of plot 7',
      message: 'Please sign by Friday.',
      signers: [ADA, { ...BEN, signOrder: 7 }],
      otpRequired: true,
      sequentialSigning: true,
      expiresAt,
      labels: { cost_center: '42', 'team/x': '' },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      orgId: service.organisation.orgId,
      title: 'Lease of plot 7',
      message: 'Please sign by Friday.',
      status: 'DRAFT',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      createdBy: service.organisation.clientId,
      expiresAt,
      documentCount: 0,
      labels: { cost_center: '42', 'team/x': '' },
      otpRequired: true,
      sequentialSigning: true,
      signers: [
        { id: expect.any(String), ...ADA, signOrder: 1, status: 'PENDING', signedAt: null },
        { id: expect.any(String), ...BEN, signOrder: 7, status: 'PENDING', signedAt: null },
      ],
      workspaceId: service.organisation.generalWorkspaceId,
      workspaceName: 'General',
    })
    expect((await service.client.get(`/api/v1/envelopes/${body.id}`)).body).toEqual(body)
  })

  // requirements: service-api/create/title, service-api/statuses/400, service-api/statuses/404, service-api/statuses/422, decisions/envelopes/fields, decisions/envelopes/label limits, decisions/envelopes/orgId, decisions/token/codes, decisions/token/createEnvelope without signers, decisions/smaller/one field's shape, decisions/smaller/rules between fields
  test.each([
    ['no title', { signers: [ADA] }, 400, 'VALIDATION_FAILED'],
    ['a title of 256 characters', { title: 'x'.repeat(256), signers: [ADA] }, 400, 'VALIDATION_FAILED'],
    ['a title with NUL', { title: 'a\0b', signers: [ADA] }, 400, 'VALIDATION_FAILED'],
    ['signers that are no list', { title: 'x', signers: 'ada' }, 400, 'VALIDATION_FAILED'],
    ['no signers', { title: 'x' }, 422, 'NO_SIGNERS'],
    ['an empty list of signers', { title: 'x', signers: [] }, 422, 'NO_SIGNERS'],
    ['51 signers', { title: 'x', signers: Array.from({ length: 51 }, () => ADA) }, 422, 'TOO_MANY_SIGNERS'],
    ['an address with a display name', { title: 'x', signers: [{ ...ADA, email: 'Ada <a@b.test>' }] }, 400, 'VALIDATION_FAILED'],
    ['two addresses in one', { title: 'x', signers: [{ ...ADA, email: 'a@b.test,c@d.test' }] }, 400, 'VALIDATION_FAILED'],
    [
      'an address with a line break',
      { title: 'x', signers: [{ ...ADA, email: 'a@b.test\r\nBcc: c@d.test' }] },
      400,
      'VALIDATION_FAILED',
    ],
    ['an order of 0', { title: 'x', signers: [{ ...ADA, signOrder: 0 }] }, 400, 'VALIDATION_FAILED'],
    ['an order of 1.5', { title: 'x', signers: [{ ...ADA, signOrder: 1.5 }] }, 400, 'VALIDATION_FAILED'],
    ['an order twice', { title: 'x', signers: [{ ...ADA, signOrder: 2 }, BEN] }, 422, 'DUPLICATE_SIGN_ORDER'],
    [
      'an expiry in a minute',
      { title: 'x', signers: [ADA], expiresAt: new Date(Date.now() + 60_000).toISOString() },
      422,
      'EXPIRY_OUT_OF_RANGE',
    ],
    [
      'an expiry in 367 days',
      { title: 'x', signers: [ADA], expiresAt: new Date(Date.now() + 367 * DAY_MS).toISOString() },
      422,
      'EXPIRY_OUT_OF_RANGE',
    ],
    ['an expiry that is no instant', { title: 'x', signers: [ADA], expiresAt: 'tomorrow' }, 400, 'VALIDATION_FAILED'],
    ['a link life of 0 hours', { title: 'x', signers: [ADA], linkTtlHours: 0 }, 400, 'VALIDATION_FAILED'],
    ['a link life of 2161 hours', { title: 'x', signers: [ADA], linkTtlHours: 2161 }, 400, 'VALIDATION_FAILED'],
    ['a label key with a space', { title: 'x', signers: [ADA], labels: { 'a b': '1' } }, 422, 'LABELS_INVALID'],
    ['a label named constructor', { title: 'x', signers: [ADA], labels: { constructor: '1' } }, 422, 'LABELS_INVALID'],
    ['a label value with a tab', { title: 'x', signers: [ADA], labels: { a: '1\t2' } }, 422, 'LABELS_INVALID'],
    ['a label value that is a number', { title: 'x', signers: [ADA], labels: { a: 1 } }, 400, 'VALIDATION_FAILED'],
    ['an unknown document', { title: 'x', signers: [ADA], documentIds: [randomUUID()] }, 404, 'DOCUMENT_NOT_FOUND'],
    ['an unknown workspace', { title: 'x', signers: [ADA], workspaceId: randomUUID() }, 404, 'WORKSPACE_NOT_FOUND'],
    ['another organisation', { title: 'x', signers: [ADA], orgId: randomUUID() }, 404, 'ORGANISATION_NOT_FOUND'],
  ])('refuses %s', async (_name, body, status, code) => {
    const answer = await create(body)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body).toMatchObject({
      status,
      path: '/api/v1/envelopes',
      message: expect.any(String),
      timestamp: expect.any(String),
    })
  })

  // requirements: decisions/envelopes/label limits
  test('rejects a label named __proto__, which a plain object would drop', async () => {
    const { status, body } = await service.client.send('POST', '/api/v1/envelopes', {
      headers: { 'Content-Type': 'application/json' },
      body: `{"title":"x","signers":[${JSON.stringify(ADA)}],"labels":{"__proto__":"1"}}`,
    })
    expect([status, body.code]).toEqual([422, 'LABELS_INVALID'])
  })

  // requirements: decisions/envelopes/unknown fields
  test('ignores unknown fields, also read-only ones', async () => {
    const { status, body } = await create({ title: 'x', signers: [ADA], status: 'COMPLETED', id: randomUUID(), createdBy: 'me' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'DRAFT', createdBy: service.organisation.clientId })
  })

  // requirements: service-api/create/documentIds
  test('accepts a document only once', async () => {
    const draft = await aDraft(service.client)
    const { body: documents } = await service.client.get(`/api/v1/envelopes/${draft.id}/documents`)
    const { status, body } = await create({ title: 'x', signers: [ADA], documentIds: [documents[0].id] })
    expect([status, body.code]).toEqual([409, 'DOCUMENT_ALREADY_ATTACHED'])
  })

  // requirements: service-api/error/quota, service-api/statuses/429, decisions/token/quota dimensions
  test('the quota of open envelopes answers 429 with the usage, and nothing is created', async () => {
    await using small = await testService({ SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '1' })
    expect((await small.client.post('/api/v1/envelopes', { title: 'x', signers: [ADA] })).status).toBe(201)
    const { status, body, headers } = await small.client.post('/api/v1/envelopes', { title: 'x', signers: [ADA] })
    expect([status, body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
    expect(body.quota).toEqual({ dimension: 'OPEN_ENVELOPES', limit: 1, current: 1 })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(rateLimitHeaders(headers)['open-envelopes']).toEqual({ policy: 'q=1', state: 'r=0;t=3600' })
    expect(await small.database.owner`select 1 from envelopes`).toHaveLength(1)
  })
})

describe('addSigner', () => {
  // requirements: service-api/signer/*, service-api/organisation/addSigner, decisions/envelopes/signOrder
  test('defaults to the highest order plus one', async () => {
    const draft = await aDraft(service.client, { signers: [{ ...ADA, signOrder: 5 }] })
    const { status, body } = await service.client.post(`/api/v1/envelopes/${draft.id}/signers`, BEN)
    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(String), ...BEN, signOrder: 6, status: 'PENDING', signedAt: null })
  })

  // requirements: decisions/envelopes/signOrder
  test('rejects an order that is already used', async () => {
    const draft = await aDraft(service.client)
    const { status, body } = await service.client.post(`/api/v1/envelopes/${draft.id}/signers`, { ...BEN, signOrder: 1 })
    expect([status, body.code]).toEqual([422, 'DUPLICATE_SIGN_ORDER'])
  })

  // requirements: service-api/statuses/409, decisions/smaller/editing a non-draft
  test('is impossible once the envelope has been sent', async () => {
    const { id } = await aSentEnvelope(service.client)
    const { status, body } = await service.client.post(`/api/v1/envelopes/${id}/signers`, BEN)
    expect([status, body.code]).toEqual([409, 'ENVELOPE_NOT_DRAFT'])
  })
})

describe('sendEnvelope', () => {
  // requirements: service-api/transitions/DRAFT to SENT, service-api/organisation/sendEnvelope, service-api/create/linkTtlHours, service-api/limits/signing link lifetime, decisions/completion/SendResponse
  test('returns a token for each signer and emails each a link', async () => {
    const draft = await aDraft(service.client, { title: 'Mailed lease', signers: [ADA, BEN] })
    const { status, body } = await service.client.post(`/api/v1/envelopes/${draft.id}/send`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ envelopeId: draft.id, status: 'SENT' })
    expect(body.signingTokens.map(({ email, signOrder }: { email: string; signOrder: number }) => [email, signOrder])).toEqual([
      [ADA.email, 1],
      [BEN.email, 2],
    ])
    for (const { token, signingUrl, expiresAt } of body.signingTokens) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(signingUrl).toBe(`${service.url}/sign/${token}`)
      expect(Math.round((Date.parse(expiresAt) - Date.now()) / 3_600_000)).toBe(72)
    }
    const { body: envelope } = await service.client.get(`/api/v1/envelopes/${draft.id}`)
    expect(envelope.status).toBe('SENT')
    expect(envelope.signers.map(({ status }: { status: string }) => status)).toEqual(['SENT', 'SENT'])
  })

  // requirements: decisions/links/signing token
  test('stores no token, only a hash and, until it is emailed, a secret box', async () => {
    const { tokens } = await aSentEnvelope(service.client)
    const dump = JSON.stringify(await service.database.owner`select * from signing_links, mails, outbox, audit_events`)
    expect(dump).not.toContain(tokens[0]!.token)
  })

  // requirements: decisions/smaller/editing a non-draft
  test('sends only once', async () => {
    const { id } = await aSentEnvelope(service.client)
    const { status, body } = await service.client.post(`/api/v1/envelopes/${id}/send`)
    expect([status, body.code]).toEqual([409, 'ENVELOPE_ALREADY_SENT'])
  })

  // requirements: decisions/token/send without signer or document
  test('requires a document', async () => {
    const { body: draft } = await create({ title: 'x', signers: [ADA] })
    const { status, body } = await service.client.post(`/api/v1/envelopes/${draft.id}/send`)
    expect([status, body.code]).toEqual([422, 'NO_DOCUMENTS'])
  })

  // requirements: decisions/envelopes/who expires, decisions/envelopes/expires from, decisions/smaller/editing a non-draft
  test('a draft whose expiry has passed cannot be sent', async () => {
    await using own = await testService()
    const draft = await aDraft(own.client, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    await own.database.moveClock(3_700)
    const client = (await own.anotherOrganisation()).client // its token is new by the moved clock
    expect((await client.post(`/api/v1/envelopes/${draft.id}/send`)).status).toBe(404)
    const { accessToken, clientWithToken } = await import('../support/clients/api-client.ts')
    const fresh = clientWithToken(own.url, await accessToken(own.url, own.organisation))
    const { status, body } = await fresh.post(`/api/v1/envelopes/${draft.id}/send`)
    expect([status, body.code]).toEqual([409, 'ENVELOPE_NOT_DRAFT'])
    expect((await fresh.get(`/api/v1/envelopes/${draft.id}`)).body.status).toBe('EXPIRED')
  })
})

describe('cancelEnvelope', () => {
  // requirements: service-api/transitions/sent to CANCELLED, service-api/organisation/cancelEnvelope, decisions/links/dead link
  test('ends a sent envelope: its link stops working and its signer is CANCELLED', async () => {
    const { id, tokens } = await aSentEnvelope(service.client)
    expect((await service.client.get(`/api/v1/sign/${tokens[0]!.token}`)).status).toBe(200)
    const { status, body } = await service.client.post(`/api/v1/envelopes/${id}/cancel`)
    expect([status, body]).toEqual([204, ''])
    expect((await service.client.get(`/api/v1/sign/${tokens[0]!.token}`)).status).toBe(404)
    const { body: envelope } = await service.client.get(`/api/v1/envelopes/${id}`)
    expect([envelope.status, envelope.signers[0].status]).toEqual(['CANCELLED', 'CANCELLED'])
  })

  // requirements: decisions/envelopes/cancel allowed from
  test('is rejected for a draft and the second time', async () => {
    const draft = await aDraft(service.client)
    expect((await service.client.post(`/api/v1/envelopes/${draft.id}/cancel`)).body.code).toBe('ENVELOPE_NOT_CANCELLABLE')
    const { id } = await aSentEnvelope(service.client)
    await service.client.post(`/api/v1/envelopes/${id}/cancel`)
    expect((await service.client.post(`/api/v1/envelopes/${id}/cancel`)).status).toBe(409)
  })
})

describe('deleteDraft', () => {
  // requirements: decisions/envelopes/drop a draft
  test('deletes the draft with its documents and releases its quota', async () => {
    await using own = await testService()
    const draft = await aDraft(own.client)
    const { status, body } = await own.client.send('DELETE', `/api/v1/envelopes/${draft.id}`)
    expect([status, body]).toEqual([204, ''])
    expect((await own.client.get(`/api/v1/envelopes/${draft.id}`)).status).toBe(404)
    const objects = []
    for await (const object of own.api.storage.list('', new Date(Date.now() + 1000))) objects.push(object.key)
    expect(objects).toEqual([])
    const [used] = await own.database.owner`select storage_bytes, open_envelopes from organisations`
    expect(used).toEqual({ storageBytes: 0, openEnvelopes: 0 })
  })

  test('is rejected once the envelope has been sent', async () => {
    const { id } = await aSentEnvelope(service.client)
    const { status, body } = await service.client.send('DELETE', `/api/v1/envelopes/${id}`)
    expect([status, body.code]).toEqual([409, 'ENVELOPE_NOT_DRAFT'])
  })
})

describe('what belongs to another organisation', () => {
  test.each([
    ['get', 'GET', ''],
    ['send', 'POST', '/send'],
    ['cancel', 'POST', '/cancel'],
    ['list documents', 'GET', '/documents'],
  ])('does not exist for %s', async (_name, method, suffix) => {
    const { id } = await aDraft(service.client)
    const { client } = await service.anotherOrganisation()
    const foreign = await client.send(method, `/api/v1/envelopes/${id}${suffix}`)
    const missing = await client.send(method, `/api/v1/envelopes/${randomUUID()}${suffix}`)
    expect([foreign.status, foreign.body.code]).toEqual([404, 'ENVELOPE_NOT_FOUND'])
    expect(foreign.body.message).toBe(missing.body.message)
  })
})
