// The whole life of a webhook: the panel's API, real events, a receiver with TLS, and a clock that is moved over days. The process's clock stays behind, so
// that every verified signature shows that its time is the database's.
import { expireEnvelopes } from '#core/envelope/expire-envelopes.ts'
import { EVENT_TYPES } from '#core/messaging/subjects.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { type ReceivedEvent, startWebhookLife, verified, type WebhookLife } from '../support/servers/webhook-life.ts'
import { answerOf } from '../support/servers/webhook-receiver.ts'

const RETRY_SECONDS = [60, 300, 1_800, 7_200, 43_200]
const HOUR = 3_600
const NOT_SENT = 'NOT_SENT'

interface Delivery {
  id: string
  eventId: string
  eventType: string
  status: string
  reason?: string
  attempts: { at: string; responseStatus?: number; error?: string }[]
  nextAttemptAt?: string
  probe: boolean
  test: boolean
  replay: boolean
}

let life: WebhookLife
let id: string
let secret: string
/** Those of events that gave up, as first received. */
let lost: ReceivedEvent[]

beforeAll(async () => {
  life = await startWebhookLife()
  const input = { url: life.url, description: 'ERP', eventTypes: EVENT_TYPES }
  ;({ id, secret } = (await (await life.admin()).post('/webhooks', input)).body)
})
afterAll(() => life[Symbol.asyncDispose]())

async function webhook(of = id) {
  return (await (await life.admin()).get(`/webhooks/${of}`)).body
}

async function history(of = id, query = '?size=100'): Promise<Delivery[]> {
  return (await (await life.admin()).get(`/webhooks/${of}/deliveries${query}`)).body.content
}

async function anEvent(): Promise<string> {
  return (await aSentEnvelope(await life.client())).id
}

/** Nothing is due and nothing runs. */
async function settled(): Promise<void> {
  await expect
    .poll(
      () => life.service.database.owner`
        select id from delivery_jobs where due_at <= sealwright_now() or leased_until is not null
        union all select webhook_id from webhook_probes where due_at <= sealwright_now() or leased_until is not null`,
    )
    .toEqual([])
}

const idsOf = (events: readonly ReceivedEvent[]) => events.map(({ headers }) => headers['x-svc-event-id'])

async function mailsNamed(subject: string) {
  await life.service.sendMails()
  return (await life.service.mails.list()).filter((mail) => mail.subject.startsWith(subject))
}

// requirements: service-api/events/*, service-api/delivery/*
test('every type of event arrives, signed at the time of the database', async () => {
  await life.advance(HOUR)
  const { api } = life.service
  expect(api.settings.webhookRetryDelaysSeconds).toEqual(RETRY_SECONDS)
  const signed = await aSignedEnvelope({ ...life.service, client: await life.client() })
  const cancelled = await aSentEnvelope(await life.client())
  await (await life.client()).post(`/api/v1/envelopes/${cancelled.id}/cancel`)
  const expiresAt = new Date(Date.now() + (HOUR + 600) * 1_000).toISOString()
  const expired = await aSentEnvelope(await life.client(), { expiresAt })
  await life.advance(900)
  expect(await expireEnvelopes(life.service.system)).toBe(1)
  await expect.poll(() => life.received.length).toBe(8)
  const events = life.received.map((each) => {
    const event = verified(each, secret)
    expect(each.headers).toMatchObject({ 'x-svc-event-id': event.id, 'x-svc-event-type': event.type })
    expect(each.headers).not.toHaveProperty('x-svc-test')
    return JSON.parse(each.body.toString())
  })
  const typesOf = (envelopeId: string) => events.filter(({ data }) => data.envelope.id === envelopeId).map(({ type }) => type)
  expect(typesOf(signed.id)).toEqual(['envelope.sent', 'signer.viewed', 'signer.signed', 'envelope.completed'])
  expect(typesOf(cancelled.id)).toEqual(['envelope.sent', 'envelope.cancelled'])
  expect(typesOf(expired.id)).toEqual(['envelope.sent', 'envelope.expired'])
  expect(() => verified(life.received[0]!, `${secret}x`)).toThrow(/No signatures found/)
  await settled()
  expect(new Set((await history()).map(({ status }) => status))).toEqual(new Set(['DELIVERED']))
})

// requirements: service-api/limits/webhook retry delays
test('a failure is retried after 1 m, 5 m, 30 m, 2 h and 12 h, with the same id and bytes', async () => {
  life.answer(500)
  life.received.length = 0
  for (let made = 0; made < 3; made++) await anEvent()
  for (const [index, seconds] of RETRY_SECONDS.entries()) {
    await expect.poll(() => life.received.length).toBe(3 * (index + 1))
    await settled()
    for (const { status, attempts, nextAttemptAt } of (await history()).slice(0, 3)) {
      expect([status, attempts.length, attempts.at(-1)?.responseStatus]).toEqual(['REJECTED_UNREACHABLE', index + 1, 500])
      const wait = (Date.parse(nextAttemptAt!) - Date.parse(attempts.at(-1)!.at)) / 1_000
      expect(wait).toBeGreaterThanOrEqual(seconds)
      expect(wait).toBeLessThan(seconds + 30)
    }
    if (seconds === RETRY_SECONDS.at(-1)) await anEvent()
    if (seconds === RETRY_SECONDS.at(-1)) await expect.poll(() => life.received.length).toBe(16)
    await settled()
    await life.advance(seconds)
  }
  await expect.poll(async () => (await webhook()).enabled).toBe(false)
  lost = life.received.slice(0, 3)
  expect(new Set(idsOf(lost)).size).toBe(3)
  for (const first of lost) {
    const same = life.received.filter(({ headers }) => headers['x-svc-event-id'] === first.headers['x-svc-event-id'])
    expect(same).toHaveLength(6)
    for (const each of same) {
      expect(each.body.equals(first.body)).toBe(true)
      verified(each, secret)
    }
    expect(new Set(same.map(({ headers }) => headers['x-svc-signature'])).size).toBe(6)
  }
})

// requirements: decisions/webhooks/deliveries waiting when switched off
test('three that gave up in a row disable the webhook, close what waits, and are mailed to every admin', async () => {
  expect(await webhook()).toMatchObject({ disabledReason: 'AUTOMATIC', consecutiveExhausted: 3, nextProbeAt: expect.any(String) })
  await settled()
  const [closed, ...exhausted] = (await history()).slice(0, 4)
  expect(closed).toMatchObject({ status: 'GAVE_UP', reason: 'ENDPOINT_DISABLED' })
  for (const delivery of exhausted) {
    expect(delivery).toMatchObject({ status: 'GAVE_UP' })
    expect(delivery).not.toHaveProperty('reason')
    expect(delivery.attempts).toHaveLength(6)
  }
  const mails = await mailsNamed('A webhook was disabled')
  expect(mails.map(({ to }) => to).toSorted()).toEqual(life.admins.map(({ email }) => email).toSorted())
  for (const said of [life.url, 'The receiver answered with HTTP status 500.', 'What to do', '/settings/webhooks'])
    for (const { text, html } of mails) for (const part of [text, html]) expect(part).toContain(said)
})

// requirements: decisions/webhooks/probe, service-api/limits/disabled-endpoint probe
test('events meanwhile are not sent; the first probe fails, the next enables it', async () => {
  life.received.length = 0
  await anEvent()
  expect((await history())[0]).toMatchObject({ status: NOT_SENT, reason: 'ENDPOINT_DISABLED', attempts: [] })
  await life.advance(5 * HOUR)
  await settled()
  expect(life.received).toEqual([])
  await life.advance(HOUR)
  await expect
    .poll(async () => (await history())[0])
    .toMatchObject({ probe: true, status: 'GAVE_UP', attempts: [{ responseStatus: 500 }] })
  expect(await webhook()).toMatchObject({ enabled: false, disabledReason: 'AUTOMATIC' })
  expect(await mailsNamed('A webhook was enabled again')).toEqual([])
  life.answer(200)
  await life.advance(6 * HOUR)
  await expect.poll(async () => (await webhook()).enabled).toBe(true)
  expect(life.received.map(({ headers }) => headers['x-svc-test'])).toEqual(['true', 'true'])
  for (const each of life.received) verified(each, secret)
  expect(await webhook()).toMatchObject({ consecutiveExhausted: 0 })
  expect(await mailsNamed('A webhook was enabled again')).toHaveLength(2)
  await anEvent()
  await expect.poll(() => life.received.length).toBe(3)
  await settled()
  expect((await history()).slice(0, 4).map(({ status, probe }) => [status, probe])).toEqual([
    ['DELIVERED', false],
    ['DELIVERED', true],
    ['GAVE_UP', true],
    [NOT_SENT, false],
  ])
})

// requirements: running/panel/POST /webhooks/{id}/replay
test('what gave up can be sent again, one and all, with the same id and bytes; what was not sent stays so', async () => {
  life.received.length = 0
  const admin = await life.admin()
  const gaveUp = (await history()).filter(({ status, probe }) => status === 'GAVE_UP' && !probe)
  expect(gaveUp).toHaveLength(4)
  const one = gaveUp.find(({ eventId }) => eventId === idsOf(lost)[0])!
  expect((await admin.post(`/webhooks/${id}/deliveries/${one.id}/replay`)).status).toBe(201)
  await expect.poll(() => life.received.length).toBe(1)
  await settled()
  expect(life.received[0]!.body.equals(lost[0]!.body)).toBe(true)
  expect(verified(life.received[0]!, secret).id).toBe(one.eventId)
  expect((await admin.post(`/webhooks/${id}/replay`, { since: new Date(0).toISOString() })).body).toEqual({ count: 4 })
  await expect.poll(() => life.received.length).toBe(5)
  await settled()
  expect(new Set(idsOf(life.received))).toEqual(new Set(gaveUp.map(({ eventId }) => eventId)))
  for (const { status, replay } of (await history()).slice(0, 5)) expect([status, replay]).toEqual(['DELIVERED', true])
})

test('after a rotation both secrets sign for 24 hours', async () => {
  life.received.length = 0
  const { status, body } = await (await life.admin()).post(`/webhooks/${id}/rotate-secret`)
  expect(status).toBe(200)
  await anEvent()
  await expect.poll(() => life.received.length).toBe(1)
  const [both] = life.received
  expect(both!.headers['x-svc-signature']).toMatch(/^t=\d+,v1=[\da-f]{64},v1=[\da-f]{64}$/)
  for (const each of [secret, body.secret]) verified(both!, each)
  await settled()
  await life.advance(24 * HOUR)
  await anEvent()
  await expect.poll(() => life.received.length).toBe(2)
  const [, alone] = life.received
  verified(alone!, body.secret)
  expect(() => verified(alone!, secret)).toThrow(/No signatures found/)
  expect(alone!.headers['x-svc-signature']).toMatch(/^t=\d+,v1=[\da-f]{64}$/)
  secret = body.secret
  await settled()
})

test('the history has every delivery and every attempt', async () => {
  const kinds = (await history()).map(({ status, probe, replay, attempts }) =>
    [status, probe && 'probe', replay && 'replay', attempts.length].filter(Boolean).join(' '),
  )
  const counts = Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((each) => each === kind).length]))
  // The event whose retries the disabling ended was tried once or twice.
  const closed = Object.keys(counts).find((kind) => /^GAVE_UP [12]$/.test(kind))!
  expect(counts).toEqual({
    'DELIVERED 1': 11,
    'DELIVERED replay 1': 5,
    'DELIVERED probe 1': 1,
    'GAVE_UP 6': 3,
    [closed]: 1,
    'GAVE_UP probe 1': 1,
    NOT_SENT: 1,
  })
})

async function disabledAutomatically(): Promise<string> {
  const { body } = await (
    await life.admin()
  ).post('/webhooks', { url: life.url, description: '', eventTypes: ['envelope.expired'] })
  await life.service.database.owner`
    update webhooks set disabled_automatically_at = sealwright_now(), consecutive_exhausted = 3 where id = ${body.id}`
  await life.service.database.owner`
    insert into webhook_probes (org_id, webhook_id, due_at)
    values (${life.service.organisation.orgId}, ${body.id}, sealwright_now() + interval '6 hours')`
  return body.id
}

test('one that an admin disables during its probe stays disabled', async () => {
  const other = await disabledAutomatically()
  const { promise: asked, resolve: ask } = Promise.withResolvers<() => void>()
  life.script((socket) => ask(() => socket.write(answerOf(200))))
  await life.advance(6 * HOUR)
  const answer = await asked
  expect((await (await life.admin()).patch(`/webhooks/${other}`, { enabled: false })).body).toMatchObject({
    enabled: false,
    disabledReason: 'BY_ADMIN',
  })
  answer()
  await expect.poll(() => history(other)).toMatchObject([{ probe: true, status: 'DELIVERED' }])
  expect(await webhook(other)).toMatchObject({ enabled: false, disabledReason: 'BY_ADMIN' })
  expect(await webhook(other)).not.toHaveProperty('nextProbeAt')
})

test('a test that succeeds enables one that was disabled automatically, as a probe does', async () => {
  const other = await disabledAutomatically()
  life.answer(503)
  expect((await (await life.admin()).post(`/webhooks/${other}/test`)).body).toMatchObject({
    delivered: false,
    responseStatus: 503,
  })
  expect(await webhook(other)).toMatchObject({ enabled: false, disabledReason: 'AUTOMATIC' })
  life.answer(200)
  expect((await (await life.admin()).post(`/webhooks/${other}/test`)).body).toMatchObject({ delivered: true })
  expect(await webhook(other)).toMatchObject({ enabled: true, consecutiveExhausted: 0 })
})
