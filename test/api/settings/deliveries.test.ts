import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import type { AttemptResult, PostClient } from '#core/webhook/request/post-client.ts'
import { startDeliver } from '../../../workers/deliver/start-deliver.ts'
import { aSentEnvelope } from '../../support/builders/envelopes.ts'
import { type PanelClient, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

const INPUT = { url: 'https://93.184.215.14/hooks', eventTypes: ['envelope.sent', 'envelope.cancelled'] }
const OK = { responseStatus: 204, durationMs: 7 }
const REFUSED = { responseStatus: 500, failure: { code: 'HTTP_STATUS', detail: '500' }, durationMs: 9 } as const
const UNREACHABLE = { failure: { code: 'CONNECTION_REFUSED' }, durationMs: 3 } as const

type Sent = Parameters<PostClient['post']>[0]

let service: TestService
let admin: PanelClient
/** What receivers answer, and what they got. */
let answer: AttemptResult = OK
const sent: Sent[] = []

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_WEBHOOK_TIMEOUT: '2s', SEALWRIGHT_WEBHOOK_RETRY_DELAYS: '1h' })
  admin = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Delivers what is due until it is disposed. */
function deliverer() {
  const client: PostClient = {
    post: (request) => {
      sent.push(request)
      return Promise.resolve(answer)
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  return startDeliver(service.system, inProcessNotifier(), client)
}

async function aWebhook(): Promise<{ id: string; secret: string }> {
  return (await admin.post('/webhooks', INPUT)).body
}

async function history(id: string, query = '') {
  const { status, body } = await admin.get(`/webhooks/${id}/deliveries${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

function requestOf(eventId: string): Sent | undefined {
  return sent.findLast(({ headers }) => headers['x-svc-event-id'] === eventId)
}

/** Waits until the newest deliveries have these statuses. */
async function expectStatuses(id: string, statuses: string[]): Promise<void> {
  await expect.poll(async () => (await history(id)).content.map((each: { status: string }) => each.status)).toEqual(statuses)
}

/** Ends waiting and rejected deliveries as if their retries were used up. */
async function giveUp(webhookId: string): Promise<void> {
  await service.database.owner`delete from delivery_jobs where webhook_id = ${webhookId}`
  await service.database.owner`
    update deliveries set status = 'GAVE_UP' where webhook_id = ${webhookId} and status in ('WAITING', 'REJECTED')`
}

async function recordOf(webhookId: string, deliveryId: string) {
  return (await admin.get(`/webhooks/${webhookId}/deliveries/${deliveryId}`)).body
}

async function waitingForLocks(): Promise<number> {
  const [row] = await service.database.owner<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return row!.count
}

describe('the delivery history', () => {
  // requirements: running/panel/GET /webhooks/{id}/deliveries, decisions/webhooks/delivery states
  test('shows each delivery with its attempts, newest first, and its exact body', async () => {
    const { id } = await aWebhook()
    const { id: envelopeId } = await aSentEnvelope(service.client)
    const [waiting] = (await history(id)).content
    expect(waiting).toEqual({
      id: expect.any(String),
      eventId: expect.any(String),
      eventType: 'envelope.sent',
      status: 'WAITING',
      createdAt: expect.any(String),
      attempts: [],
      nextAttemptAt: expect.any(String),
      probe: false,
      test: false,
      replay: false,
    })
    answer = UNREACHABLE
    {
      await using _ = deliverer()
      await expectStatuses(id, ['REJECTED_UNREACHABLE'])
      answer = OK
      await service.client.post(`/api/v1/envelopes/${envelopeId}/cancel`)
      await expectStatuses(id, ['DELIVERED', 'REJECTED_UNREACHABLE'])
    }
    const { content, ...frame } = await history(id)
    expect(frame).toEqual({ page: 0, size: 20, totalElements: 2, totalPages: 1, totalCapped: false })
    expect(content[0].attempts).toEqual([{ at: expect.any(String), responseStatus: 204, durationMs: 7 }])
    expect(content[0]).not.toHaveProperty('nextAttemptAt')
    expect(content[1].attempts).toEqual([
      { at: expect.any(String), error: expect.stringMatching(/refused/i), errorCode: 'CONNECTION_REFUSED', durationMs: 3 },
    ])
    expect(Date.parse(content[1].nextAttemptAt) - Date.parse(content[1].attempts[0].at)).toBeGreaterThan(3_500_000)
    const full = await recordOf(id, content[0].id)
    expect(full).toEqual({ ...content[0], body: requestOf(content[0].eventId)!.body.toString() })
    expect(JSON.parse(full.body)).toMatchObject({ id: content[0].eventId, type: 'envelope.cancelled' })
  })

  test('can be filtered by status and event type, and paged', async () => {
    const { id } = await aWebhook()
    for (let made = 0; made < 3; made++) await aSentEnvelope(service.client)
    const newest: { id: string }[] = (await history(id)).content
    await service.database.owner`
      update deliveries set status = 'NOT_BUILT', reason = 'no title', event_type = 'envelope.cancelled' where id = ${newest[1]!.id}`
    const idsOf = async (query: string) => (await history(id, query)).content.map((each: { id: string }) => each.id)
    const [first, second, third] = newest.map((each) => each.id)
    for (const query of ['?status=COULD_NOT_BE_BUILT', '?status=could%20not%20be%20built', '?eventType=envelope.cancelled'])
      expect(await idsOf(query)).toEqual([second])
    expect(await idsOf('?status=Waiting,Rejected%20/%20Unreachable')).toEqual([first, third])
    expect(await idsOf('?status=&eventType=')).toEqual([first, second, third])
    expect(await idsOf('?page=1&size=2')).toEqual([third])
    expect((await history(id, '?status=NOT_SENT')).totalElements).toBe(0)
    expect((await recordOf(id, second!)).reason).toBe('no title')
    for (const [query, code] of [
      ['?status=SENT', 'INVALID_STATUS'],
      ['?eventType=envelope', 'VALIDATION_FAILED'],
      ['?page=5000&size=100', 'PAGE_TOO_DEEP'],
    ])
      expect((await admin.get(`/webhooks/${id}/deliveries${query}`)).body.code).toBe(code)
  })

  test('does not show what is older than its retention, nor the deliveries of another webhook', async () => {
    const [own, other] = [await aWebhook(), await aWebhook()]
    await aSentEnvelope(service.client)
    const [delivery] = (await history(own.id)).content
    expect((await recordOf(other.id, delivery.id)).code).toBe('DELIVERY_NOT_FOUND')
    await service.database.owner`
      update deliveries set id = time_ordered_id(now() - interval '91 days', uuid_send(gen_random_uuid())) where id = ${delivery.id}`
    const [row] = await service.database.owner`select id from deliveries where webhook_id = ${own.id}`
    expect((await history(own.id)).totalElements).toBe(0)
    expect((await recordOf(own.id, row!['id'])).code).toBe('DELIVERY_NOT_FOUND')
  })

  // requirements: decisions/webhooks/deliveries waiting when switched off
  test('shows what was closed by disabling, and what was not sent meanwhile', async () => {
    const { id } = await aWebhook()
    await aSentEnvelope(service.client)
    await admin.patch(`/webhooks/${id}`, { enabled: false })
    await aSentEnvelope(service.client)
    const shown = (await history(id)).content.map((each: { status: string; reason: string }) => [each.status, each.reason])
    expect(shown).toEqual([
      ['NOT_SENT', 'ENDPOINT_DISABLED'],
      ['GAVE_UP', 'ENDPOINT_DISABLED'],
    ])
  })

  test('of a deleted webhook is kept, and what waited is closed', async () => {
    const { id } = await aWebhook()
    await aSentEnvelope(service.client)
    await admin.delete(`/webhooks/${id}`)
    const rows = await service.database.owner`select status, reason from deliveries where webhook_id = ${id}`
    expect(rows).toEqual([{ status: 'GAVE_UP', reason: 'ENDPOINT_DELETED' }])
    expect(await service.database.owner`select from delivery_jobs where webhook_id = ${id}`).toEqual([])
  })
})

describe('a test', () => {
  // requirements: running/panel/POST /webhooks/{id}/test, decisions/webhooks/synthetic event
  test('sends a synthetic event, in every state, and returns the answer', async () => {
    const { id } = await aWebhook()
    await admin.patch(`/webhooks/${id}`, { enabled: false })
    await using _ = deliverer()
    answer = OK
    const { status, body } = await admin.post(`/webhooks/${id}/test`)
    expect([status, body]).toEqual([200, { delivered: true, responseStatus: 204, durationMs: 7, deliveryId: expect.any(String) }])
    const [{ eventId, ...delivery }] = (await history(id)).content
    expect(delivery).toMatchObject({ id: body.deliveryId, test: true, status: 'DELIVERED' })
    const request = requestOf(eventId)!
    expect(request.headers).toMatchObject({ 'x-svc-test': 'true', 'x-svc-event-type': 'envelope.sent' })
    expect(JSON.parse(request.body.toString()).data.envelope.id).toBe('00000000-0000-0000-0000-000000000000')
    answer = REFUSED
    const { body: failed } = await admin.post(`/webhooks/${id}/test`, { eventType: 'envelope.cancelled' })
    expect(failed).toMatchObject({ delivered: false, responseStatus: 500, errorCode: 'HTTP_STATUS' })
    expect(failed.error).toMatch(/500/)
    expect((await history(id)).content[0]).toMatchObject({ eventType: 'envelope.cancelled', status: 'GAVE_UP' })
    expect((await admin.get(`/webhooks/${id}`)).body).toMatchObject({ enabled: false, consecutiveExhausted: 0 })
    const other = await admin.post(`/webhooks/${id}/test`, { eventType: 'signer.signed' })
    expect([other.status, other.body.code]).toEqual([422, 'EVENT_TYPE_NOT_SUBSCRIBED'])
  })

  test('says so when no worker has sent it in time', async () => {
    const { id } = await aWebhook()
    const { status, body } = await admin.post(`/webhooks/${id}/test`, {})
    expect([status, body.delivered, body.errorCode]).toEqual([200, false, 'NOT_TRIED_YET'])
    expect(body.durationMs).toBeGreaterThan(2_000)
    expect((await history(id)).content[0]).toMatchObject({ id: body.deliveryId, status: 'WAITING' })
  })
})

describe('a replay', () => {
  // requirements: running/panel/POST /webhooks/{id}/deliveries/{deliveryId}/replay
  test('sends the same event id and body again and changes no record', async () => {
    const { id } = await aWebhook()
    await aSentEnvelope(service.client)
    await giveUp(id)
    const before = await recordOf(id, (await history(id)).content[0].id)
    const { status, body } = await admin.post(`/webhooks/${id}/deliveries/${before.id}/replay`)
    expect(status).toBe(201)
    expect(body).toMatchObject({ eventId: before.eventId, body: before.body, status: 'WAITING', replay: true, attempts: [] })
    expect(body.id).not.toBe(before.id)
    answer = OK
    await using _ = deliverer()
    await expectStatuses(id, ['DELIVERED', 'GAVE_UP'])
    expect(await recordOf(id, before.id)).toEqual(before)
    expect(requestOf(before.eventId)?.body.toString()).toBe(before.body)
  })

  test('of a test is a test', async () => {
    const { id } = await aWebhook()
    {
      await using _ = deliverer()
      await admin.post(`/webhooks/${id}/test`)
    }
    const [tested] = (await history(id)).content
    await admin.patch(`/webhooks/${id}`, { enabled: false })
    const { status, body } = await admin.post(`/webhooks/${id}/deliveries/${tested.id}/replay`)
    expect([status, body.test, body.replay]).toEqual([201, true, false])
  })

  test('is refused while the webhook is disabled, and without a body', async () => {
    const { id } = await aWebhook()
    await aSentEnvelope(service.client)
    const [{ id: deliveryId, eventId }] = (await history(id)).content
    await admin.patch(`/webhooks/${id}`, { enabled: false })
    const refusals = [
      await admin.post(`/webhooks/${id}/deliveries/${deliveryId}/replay`),
      await admin.post(`/webhooks/${id}/replay`, { since: new Date(0).toISOString() }),
    ]
    for (const { status, body } of refusals) expect([status, body.code]).toEqual([409, 'WEBHOOK_DISABLED'])
    await service.database.owner`update events set body = null, build_error = 'no title' where id = ${eventId}`
    const { status, body } = await admin.post(`/webhooks/${id}/deliveries/${deliveryId}/replay`)
    expect([status, body.code]).toEqual([409, 'DELIVERY_WITHOUT_BODY'])
  })

  // requirements: running/panel/POST /webhooks/{id}/replay
  test('since a time sends every event once whose delivery gave up', async () => {
    const { id } = await aWebhook()
    await aSentEnvelope(service.client)
    await giveUp(id)
    const [early] = (await history(id)).content
    await delay(5)
    const since = new Date((await service.database.owner`select now()`)[0]!['now']).toISOString()
    for (let made = 0; made < 2; made++) await aSentEnvelope(service.client)
    await giveUp(id)
    await aSentEnvelope(service.client)
    const replay = (from: string) => admin.post(`/webhooks/${id}/replay`, { since: from })
    // Concurrent requests do not send the same event. Each has read what gave up before one of them can go on.
    const { replays: running } = await service.database.owner.begin(async (sql) => {
      await sql`lock table delivery_jobs in exclusive mode`
      const replays = Promise.all([replay(since), replay(since), replay(since)])
      await expect.poll(waitingForLocks).toBe(3)
      return { replays }
    })
    const answers = await running
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(answers.map(({ body }) => body.count).toSorted((one, other) => one - other)).toEqual([0, 0, 2])
    const replays = (await history(id)).content.filter((each: { replay: boolean }) => each.replay)
    expect(new Set(replays.map((each: { eventId: string }) => each.eventId)).size).toBe(2)
    expect(replays.map((each: { eventId: string }) => each.eventId)).not.toContain(early.eventId)
    await giveUp(id)
    // Two deliveries of an event have given up by now: it is sent once. Tests are not sent again.
    expect((await replay('0001-01-01T00:00:00Z')).body.count).toBe(4)
    expect((await replay('2999-01-01T00:00:00Z')).body.count).toBe(0)
  })
})
