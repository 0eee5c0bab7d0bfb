import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PersonCaller } from '#core/context.ts'
import { type OrgId, WebhookId } from '#core/ids.ts'
import { createWebhook } from '#core/webhook/create-webhook.ts'
import { rotateSecret } from '#core/webhook/rotate-secret.ts'
import { type PanelClient, signedIn, type TestPerson } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

/** A public address, so that no name has to be resolved. */
const ADDRESS = 'https://93.184.215.14/hooks'
const INPUT = { url: ADDRESS, description: 'ERP', eventTypes: ['envelope.completed', 'signer.signed'] as const }

let service: TestService
let admin: PanelClient & { person: TestPerson }

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_WEBHOOK_MAX_PER_ORG: '40' })
  admin = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

async function aWebhook(input: object = {}) {
  const { status, body } = await admin.post('/webhooks', { ...INPUT, ...input })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

function callerOf({ person: { personId, email } }: { person: TestPerson }, orgId: OrgId): PersonCaller {
  return { kind: 'person', orgId, personId, role: 'ADMIN', email, name: 'Robin', origin: { address: null, userAgent: null } }
}

async function set(id: string, assignments: string): Promise<void> {
  await service.database.owner.unsafe(`update webhooks set ${assignments} where id = '${id}'`)
}

async function disabledAutomatically(id: string): Promise<void> {
  await set(id, `disabled_automatically_at = now(), consecutive_exhausted = 3`)
  await service.database.owner`
    insert into webhook_probes (org_id, webhook_id, due_at) values (${service.organisation.orgId}, ${id}, now() + interval '6 hours')`
}

describe('creating a webhook', () => {
  // requirements: running/panel/GET, POST /webhooks, running/panel/webhook record, decisions/webhooks/secret
  test('returns the record with the secret, which is never shown again and not logged', async () => {
    const body = await aWebhook()
    expect(body).toEqual({
      id: expect.any(String),
      ...INPUT,
      enabled: true,
      consecutiveExhausted: 0,
      origin: 'API',
      createdAt: expect.any(String),
      secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
      secretLastFour: body.secret.slice(-4),
      secretShown: true,
    })
    const { secret, ...record } = body
    expect((await admin.get(`/webhooks/${body.id}`)).body).toEqual(record)
    expect((await admin.get('/webhooks')).body).toContainEqual({ ...record, lastDay: expect.any(Array) })
    expect(await service.readLog()).not.toContain(secret)
  })

  test.each([
    ['without a URL', { url: undefined }, 'url'],
    ['with a relative URL', { url: '/hooks' }, 'url'],
    ['with a URL with a space', { url: `${ADDRESS}/a b` }, 'url'],
    ['with a URL of 2,049 characters', { url: `${ADDRESS}?${'x'.repeat(2_049)}` }, 'url'],
    ['with a description of 256 characters', { description: 'x'.repeat(256) }, 'description'],
    ['without event types', { eventTypes: undefined }, 'eventTypes'],
    ['with no event type', { eventTypes: [] }, 'eventTypes'],
    ['with an event type twice', { eventTypes: ['envelope.sent', 'envelope.sent'] }, 'eventTypes'],
    ['with an unknown event type', { eventTypes: ['envelope.created'] }, 'eventTypes'],
  ])('is refused %s', async (_case, change, field) => {
    const { status, body } = await admin.post('/webhooks', { ...INPUT, ...change })
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(body.message).toContain(field)
  })

  test.each([
    ['http://93.184.215.14/hooks', /HTTPS/i],
    ['https://user:secret@93.184.215.14/', /user|password/i],
    ['https://10.0.0.7/', /not public/i],
    ['https://[::1]:8443/', /not public/i],
    ['https://169.254.169.254/latest/meta-data', /not public/i],
    ['https://localhost/', /name/i],
  ])('is refused for %s, with the reason', async (url, reason) => {
    const { status, body } = await admin.post('/webhooks', { ...INPUT, url })
    expect([status, body.code]).toEqual([422, 'WEBHOOK_URL_REFUSED'])
    expect(body.message).toMatch(reason)
  })

  // requirements: decisions/smaller/webhook names that do not resolve
  test.each([
    ['a name that does not exist is refused', 'ENOTFOUND', 'refused'],
    ['a temporary failure of the name server is not', 'EAI_AGAIN', 'accepted'],
  ])('%s', async (_case, code, result) => {
    const lookup = () => Promise.reject(Object.assign(new Error(code), { code }))
    const caller = callerOf(admin, service.organisation.orgId)
    const created = createWebhook(service.api, caller, { ...INPUT, url: 'https://hooks.example.com/' }, lookup).catch(
      (error: unknown) => error,
    )
    const expected = result === 'refused' ? { code: 'WEBHOOK_URL_REFUSED' } : { url: 'https://hooks.example.com/' }
    expect(await created).toMatchObject(expected)
  })

  // requirements: service-api/limits/webhooks per organisation
  test('stops at the limit, exactly, for admins who create one at the same time', async () => {
    const other = await service.anotherOrganisation()
    const { orgId } = other.organisation
    const person = (await signedIn(service, { orgId })).person
    const limited = { ...service.api, settings: { ...service.api.settings, webhookMaxPerOrg: 20 } }
    const create = () => createWebhook(limited, callerOf({ person }, orgId), INPUT)
    for (let made = 0; made < 19; made++) await create()
    // Each has an open connection, so that they run concurrently.
    await Promise.all(Array.from({ length: 20 }, () => service.api.database`select pg_sleep(0.2)`))
    const results = await Promise.allSettled(Array.from({ length: 20 }, create))
    const refused = results.filter((each) => each.status === 'rejected')
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array.from({ length: 19 }, () => 'WEBHOOK_LIMIT_REACHED'))
    expect(await service.database.owner`select from webhooks where org_id = ${orgId}`).toHaveLength(20)
  })
})

describe('changing a webhook', () => {
  // requirements: running/panel/GET, PATCH, DELETE /webhooks/{id}
  test('replaces the fields that are given', async () => {
    const { secret: _, ...created } = await aWebhook()
    const change = { url: 'https://93.184.215.15:8443/other', eventTypes: ['envelope.sent'] }
    const { status, body } = await admin.patch(`/webhooks/${created.id}`, change)
    expect([status, body]).toEqual([200, { ...created, ...change }])
    expect((await admin.patch(`/webhooks/${created.id}`, { description: '' })).body.description).toBe('')
    const refused = await admin.patch(`/webhooks/${created.id}`, { url: 'https://192.168.1.1/' })
    expect([refused.status, refused.body.code]).toEqual([422, 'WEBHOOK_URL_REFUSED'])
    expect((await admin.get(`/webhooks/${created.id}`)).body.url).toBe(change.url)
  })

  test('disables and enables it', async () => {
    const { id } = await aWebhook()
    const { body: off } = await admin.patch(`/webhooks/${id}`, { enabled: false })
    expect(off).toMatchObject({ enabled: false, disabledReason: 'BY_ADMIN', disabledAt: expect.any(String) })
    const { body: again } = await admin.patch(`/webhooks/${id}`, { enabled: false })
    expect(again).toEqual(off)
    const { body: on } = await admin.patch(`/webhooks/${id}`, { enabled: true })
    expect(on.enabled).toBe(true)
    for (const field of ['disabledReason', 'disabledAt', 'nextProbeAt']) expect(on).not.toHaveProperty(field)
  })

  test('enabling one that was disabled automatically resets it; disabling it ends its probes', async () => {
    const [first, second] = [await aWebhook(), await aWebhook()]
    for (const { id } of [first, second]) await disabledAutomatically(id)
    expect((await admin.get(`/webhooks/${first.id}`)).body).toMatchObject({
      enabled: false,
      disabledReason: 'AUTOMATIC',
      consecutiveExhausted: 3,
      nextProbeAt: expect.any(String),
    })
    const { body: on } = await admin.patch(`/webhooks/${first.id}`, { enabled: true })
    expect(on).toMatchObject({ enabled: true, consecutiveExhausted: 0 })
    const { body: off } = await admin.patch(`/webhooks/${second.id}`, { enabled: false })
    expect(off).toMatchObject({ enabled: false, disabledReason: 'BY_ADMIN' })
    for (const record of [on, off]) expect(record).not.toHaveProperty('nextProbeAt')
    // The admin knows; the email says that the receiver answered.
    expect(await service.database.owner`select from mails where template = 'WEBHOOK_ENABLED'`).toHaveLength(0)
  })

  test('a new address is probed at once while it is disabled automatically', async () => {
    const { id } = await aWebhook()
    await disabledAutomatically(id)
    const before = Date.parse((await admin.patch(`/webhooks/${id}`, { description: 'new' })).body.nextProbeAt)
    expect(before).toBeGreaterThan(Date.now() + 3_600_000)
    const { body } = await admin.patch(`/webhooks/${id}`, { url: `${ADDRESS}/new` })
    expect(Date.parse(body.nextProbeAt)).toBeLessThan(Date.now() + 60_000)
    const messages = await service.database.owner`
      select from outbox where subject = 'sealwright.probe.requested' and body ->> 'id' = ${id}`
    expect(messages).toHaveLength(1)
  })

  test('deletes it', async () => {
    const { id } = await aWebhook()
    expect((await admin.delete(`/webhooks/${id}`)).status).toBe(204)
    expect((await admin.get(`/webhooks/${id}`)).body.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await admin.delete(`/webhooks/${id}`)).status).toBe(404)
  })
})

describe('the secret', () => {
  // requirements: running/panel/POST /webhooks/{id}/rotate-secret, decisions/webhooks/second rotation, service-api/limits/secret rotation grace
  test('can be rotated once in 24 hours, or again after the previous one was revoked', async () => {
    const first = await aWebhook()
    const { status, body: second } = await admin.post(`/webhooks/${first.id}/rotate-secret`)
    expect(status).toBe(200)
    expect(second.secret).toMatch(/^whsec_/)
    expect(second.secret).not.toBe(first.secret)
    expect(second.secretLastFour).toBe(second.secret.slice(-4))
    expect(Math.abs(Date.parse(second.previousSecretExpiresAt) - Date.now() - 86_400_000)).toBeLessThan(60_000)
    const early = await admin.post(`/webhooks/${first.id}/rotate-secret`)
    expect([early.status, early.body.code]).toEqual([409, 'SECRET_ROTATION_IN_PROGRESS'])
    expect(early.body.message).toContain(second.previousSecretExpiresAt)
    for (let time = 0; time < 2; time++)
      expect((await admin.post(`/webhooks/${first.id}/revoke-previous-secret`)).status).toBe(204)
    expect((await admin.get(`/webhooks/${first.id}`)).body).not.toHaveProperty('previousSecretExpiresAt')
    expect((await admin.post(`/webhooks/${first.id}/rotate-secret`)).status).toBe(200)
    await set(first.id, `previous_secret_expires_at = now()`)
    expect((await admin.post(`/webhooks/${first.id}/rotate-secret`)).status).toBe(200)
  })

  test('is rotated once by concurrent requests', async () => {
    const id = WebhookId.parse((await aWebhook()).id)
    await Promise.all(Array.from({ length: 8 }, () => service.api.database`select pg_sleep(0.2)`))
    const caller = callerOf(admin, service.organisation.orgId)
    const rotations = await Promise.allSettled(Array.from({ length: 8 }, () => rotateSecret(service.api, caller, id)))
    expect(rotations.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  // requirements: running/panel/POST /webhooks/{id}/reveal-secret
  test('is revealed once when it was made outside the panel', async () => {
    const { id, secret } = await aWebhook()
    const shown = await admin.post(`/webhooks/${id}/reveal-secret`)
    expect([shown.status, shown.body.code]).toEqual([409, 'SECRET_ALREADY_SHOWN'])
    await set(id, 'secret_shown_at = null')
    expect((await admin.get(`/webhooks/${id}`)).body.secretShown).toBe(false)
    const answers = await Promise.all([1, 2, 3].map(() => admin.post(`/webhooks/${id}/reveal-secret`)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ id, secret, secretShown: true })
  })
})

test("another organisation's webhook and an unknown one are not found", async () => {
  const other = await signedIn(service, { orgId: (await service.anotherOrganisation()).organisation.orgId })
  const { body: foreign } = await other.post('/webhooks', INPUT)
  const delivery = randomUUID()
  for (const id of [foreign.id, randomUUID()]) {
    const answers = await Promise.all([
      admin.get(`/webhooks/${id}`),
      admin.patch(`/webhooks/${id}`, { description: 'mine' }),
      admin.delete(`/webhooks/${id}`),
      ...['rotate-secret', 'revoke-previous-secret', 'reveal-secret', 'test', `deliveries/${delivery}/replay`].map((act) =>
        admin.post(`/webhooks/${id}/${act}`),
      ),
      admin.post(`/webhooks/${id}/replay`, { since: new Date().toISOString() }),
      admin.get(`/webhooks/${id}/deliveries`),
      admin.get(`/webhooks/${id}/deliveries/${delivery}`),
    ])
    for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND'])
  }
  expect((await other.get('/webhooks')).body).toHaveLength(1)
  expect((await admin.get('/webhooks/none')).status).toBe(400)
})

test('the activity shows every change, without secrets and without what was not changed', async () => {
  const { id, secret } = await aWebhook()
  await admin.patch(`/webhooks/${id}`, { ...INPUT })
  await admin.patch(`/webhooks/${id}`, { description: 'CRM' })
  await admin.patch(`/webhooks/${id}`, { enabled: false })
  await admin.patch(`/webhooks/${id}`, { enabled: true })
  const { body: rotated } = await admin.post(`/webhooks/${id}/rotate-secret`)
  for (let time = 0; time < 2; time++) await admin.post(`/webhooks/${id}/revoke-previous-secret`)
  await set(id, 'secret_shown_at = null')
  await admin.post(`/webhooks/${id}/reveal-secret`)
  await admin.delete(`/webhooks/${id}`)
  const rows = await service.database.owner<{ action: string; detail: object }[]>`
    select action, detail from admin_events where detail ->> 'webhookId' = ${id} order by id`
  expect(rows.map(({ action }) => action.replace('webhook.', ''))).toEqual([
    'created',
    'updated',
    'disabled',
    'enabled',
    'secret-rotated',
    'previous-secret-revoked',
    'secret-revealed',
    'deleted',
  ])
  expect(rows[1]!.detail).toEqual({ webhookId: id, host: '93.184.215.14', changed: ['description'] })
  for (const hidden of [secret, rotated.secret, '/hooks']) expect(JSON.stringify(rows)).not.toContain(hidden)
})
