// What the result of an attempt changes: the delivery, its job, and its webhook.
import { insertPerson } from '#core/account/person/store.ts'
import { newId, type OrgId, PersonId, type WebhookId } from '#core/ids.ts'
import { insertEvents } from '#core/event/store.ts'
import { MAX_LOST_ATTEMPTS } from '#core/limits.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { claimDeliveries } from '#core/webhook/delivery/claim-deliveries.ts'
import { deliver } from '#core/webhook/delivery/deliver.ts'
import { DELIVERY_WORK, type DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { pollDeliveries } from '#core/webhook/delivery/poll-deliveries.ts'
import { settleDelivery } from '#core/webhook/delivery/settle-delivery.ts'
import { insertDelivery, insertDeliveryJobs } from '#core/webhook/delivery/store.ts'
import { lockWebhook, markDisabled } from '#core/webhook/store.ts'
import { disableWebhook } from '#core/webhook/switch-webhook.ts'
import { newSyntheticEvent } from '#core/webhook/synthetic-event.ts'
import { LEASE_SECONDS } from '#core/work/hold-lease.ts'
import { retryJobs } from '#core/work/retry-jobs.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anOrganisation } from '../support/builders/rows.ts'
import {
  anAttempt,
  anEnvelope,
  aWebhook,
  deliveryCore,
  fakeClient,
  OK,
  record,
  REJECTED,
  TIMED_OUT,
} from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const PLENTY = { places: 1_000, slowPlaces: 1_000 }
/** The default of SEALWRIGHT_WEBHOOK_RETRY_DELAYS. */
const DELAYS = [60, 300, 1_800, 7_200, 43_200]

let database: TestDatabase
let core: ReturnType<typeof deliveryCore>
let orgId: OrgId
let webhookId: WebhookId

beforeAll(async () => {
  database = await testDatabase()
  core = deliveryCore(database)
})
beforeEach(async () => {
  orgId = (await anOrganisation(database.system)).orgId
  webhookId = await aWebhook(core, orgId)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

const claim = () => claimDeliveries(core, orgId, PLENTY)
const settle = (job: DeliveryJob, result = OK) => settleDelivery(core, job, anAttempt(result))
/** Settles its last attempt as failed. */
const exhaust = (job: DeliveryJob) => settle({ ...job, failures: DELAYS.length }, REJECTED)
const recordEvent = () => record(database.system, orgId, anEnvelope(), 'envelope.sent')

/** A leased delivery of a new event. */
async function aJob(): Promise<DeliveryJob> {
  await recordEvent()
  const [job] = await claim()
  return job!
}

async function aLeased(kind: 'REPLAY' | 'TEST'): Promise<DeliveryJob> {
  const event = newSyntheticEvent('envelope.sent', new Date())
  await insertEvents(database.system, orgId, [event])
  const id = await insertDelivery(database.system, orgId, { webhookId, eventId: event.id, kind, status: 'WAITING' })
  await insertDeliveryJobs(database.system, orgId, [id])
  return (await claim()).find((job) => job.id === id)!
}

async function deliveryOf({ id }: Pick<DeliveryJob, 'id'>) {
  const [row] = await database.owner`
    select status, reason, attempts, (select count(*)::int from delivery_jobs j where j.id = d.id) as jobs from deliveries d where id = ${id}`
  return row!
}

async function webhook() {
  const [row] = await database.owner`
    select consecutive_exhausted as exhausted, disabled_reason as disabled, slow_until > sealwright_now() as slow from webhooks where id = ${webhookId}`
  return row!
}

describe('an accepted delivery', () => {
  test('is delivered, and its job is gone', async () => {
    const job = await aJob()
    expect(await settle(job)).toBe(true)
    expect(await deliveryOf(job)).toMatchObject({ status: 'DELIVERED', reason: null, jobs: 0 })
    const { attempts } = await deliveryOf(job)
    expect(attempts).toEqual([{ at: expect.any(String), durationMs: OK.durationMs, responseStatus: 204 }])
  })

  test('ends a row of exhausted ones', async () => {
    await exhaust(await aJob())
    expect(await webhook()).toMatchObject({ exhausted: 1 })
    await settle(await aJob())
    expect(await webhook()).toMatchObject({ exhausted: 0 })
  })
})

describe('a rejected delivery', () => {
  test('is retried after 1 m, 5 m, 30 m, 2 h and 12 h by the database clock, then given up', async () => {
    await recordEvent()
    let seconds = 0
    for (const [failures, delay] of DELAYS.entries()) {
      const [job] = await claim()
      expect(job).toMatchObject({ attempts: failures + 1, failures })
      expect(await settle(job!, REJECTED)).toBe('failed')
      expect(await deliveryOf(job!)).toMatchObject({ status: 'REJECTED', jobs: 1 })
      await database.moveClock(seconds + delay - 5)
      expect(await claim()).toEqual([])
      seconds += delay + 5
      await database.moveClock(seconds)
    }
    const [last] = await claim()
    expect(await settle(last!, REJECTED)).toBe('failed')
    const ended = await deliveryOf(last!)
    expect(ended).toMatchObject({ status: 'GAVE_UP', reason: null, jobs: 0 })
    expect(ended['attempts']).toHaveLength(DELAYS.length + 1)
    expect(ended['attempts'][0]).toMatchObject({ responseStatus: 500, failure: { code: 'HTTP_STATUS', detail: '500' } })
    expect(await webhook()).toMatchObject({ exhausted: 1, disabled: null })
  })

  test('does not count as waiting until its retry, so that the age of the queue shows late deliveries', async () => {
    const job = await aJob()
    await settle(job, REJECTED)
    const [row] = await database.owner`
      select extract(epoch from wanted_at - sealwright_now())::float8 as seconds from delivery_jobs where id = ${job.id}`
    expect(Math.abs(row!['seconds'] - 60)).toBeLessThan(10)
  })

  test('is retried as the setting says', async () => {
    const hasty = deliveryCore(database, { SEALWRIGHT_WEBHOOK_RETRY_DELAYS: '7s' })
    const job = await aJob()
    await settleDelivery(hasty, job, anAttempt(REJECTED))
    await database.moveClock(8)
    const [again] = await claim()
    await settleDelivery(hasty, again!, anAttempt(REJECTED))
    expect(await deliveryOf(job)).toMatchObject({ status: 'GAVE_UP' })
  })

  test('makes its webhook slow only when it let the delivery time out', async () => {
    await settle(await aJob(), REJECTED)
    expect(await webhook()).toMatchObject({ slow: null })
    await settle(await aJob(), TIMED_OUT)
    expect(await webhook()).toMatchObject({ slow: true })
  })
})

test('every attempt sends the same bytes and event id, and the signature is of its time', async () => {
  const { client, sent } = fakeClient(() => REJECTED)
  await deliver(core, client, await aJob(), new Set())
  await database.moveClock(61)
  const [again] = await claim()
  await deliver(core, client, again!, new Set())
  const [first, second] = sent
  expect(second!.body).toEqual(first!.body)
  expect(first!.body.toString()).toBe(again!.body)
  const { 'x-svc-signature': signature, ...rest } = first!.headers
  expect(second!.headers).toMatchObject(rest)
  expect(rest).toMatchObject({ 'x-svc-event-id': again!.eventId, 'x-svc-event-type': 'envelope.sent' })
  const timeOf = (text: string | undefined) => Number(/^t=(\d+),v1=[0-9a-f]{64}$/.exec(text!)![1])
  const between = timeOf(second!.headers['x-svc-signature']) - timeOf(signature)
  expect(between).toBeGreaterThanOrEqual(61)
})

describe('a worker that lost its lease', () => {
  /** One delivery as two workers hold it: the first lost its lease to the second. */
  async function twoWorkers() {
    const late = await aJob()
    await database.moveClock(LEASE_SECONDS + 1)
    const [next] = await claim()
    expect(next).toMatchObject({ id: late.id, attempts: 2 })
    return { late, next: next! }
  }

  test.each([
    ['failed', (job: DeliveryJob) => settle(job, REJECTED)],
    ['failed for the last time', exhaust],
  ])('and %s adds its attempt and changes nothing else', async (_, settleLate) => {
    const { late, next } = await twoWorkers()
    expect(await settleLate(late)).toBe(false)
    expect(await deliveryOf(late)).toMatchObject({ status: 'WAITING', jobs: 1, attempts: [{ responseStatus: 500 }] })
    expect(await webhook()).toMatchObject({ exhausted: 0 })
    expect(await settle(next)).toBe(true)
    expect(await deliveryOf(late)).toMatchObject({ status: 'DELIVERED', jobs: 0 })
  })

  test('and succeeded has delivered it: what the other one does changes nothing', async () => {
    const { late, next } = await twoWorkers()
    expect(await settle(late)).toBe(true)
    expect(await deliveryOf(late)).toMatchObject({ status: 'DELIVERED', jobs: 0 })
    expect(await exhaust(next)).toBe(false)
    expect(await deliveryOf(late)).toMatchObject({ status: 'DELIVERED', jobs: 0, attempts: [{ responseStatus: 204 }, {}] })
    expect(await webhook()).toMatchObject({ exhausted: 0 })
  })

  test('has released it when it stops, and cannot record a failure then', async () => {
    const job = await aJob()
    await database.owner`update delivery_jobs set released = 1, leased_until = null where id = ${job.id}`
    expect(await settle(job, REJECTED)).toBe(false)
    expect(await claim()).toMatchObject([{ id: job.id, attempts: 2, failures: 0 }])
  })
})

describe('three deliveries in a row that used up their retries', () => {
  const person = (role: 'ADMIN' | 'MEMBER') => {
    const id = newId(PersonId)
    return insertPerson(database.system, orgId, { id, email: `${id}@example.test`, name: 'Robin', role, passwordHash: null })
  }

  test('disable the webhook, close what waits, and are told to each admin once', async () => {
    for (const role of ['ADMIN', 'ADMIN', 'MEMBER'] as const) await person(role)
    const jobs = [await aJob(), await aJob(), await aJob(), await aJob()]
    await recordEvent()
    for (const job of jobs.slice(0, 3)) {
      expect(await webhook()).toMatchObject({ disabled: null })
      expect(await exhaust(job)).toBe('failed')
    }
    expect(await webhook()).toMatchObject({ disabled: 'AUTOMATIC', exhausted: 3 })
    // One that runs, and one that waits: neither counts.
    const closed = await database.owner`
      select reason from deliveries where webhook_id = ${webhookId} and status = 'GAVE_UP' and reason is not null`
    expect(closed).toMatchObject([{ reason: 'ENDPOINT_DISABLED' }, { reason: 'ENDPOINT_DISABLED' }])
    expect(await database.owner`select 1 from delivery_jobs where webhook_id = ${webhookId}`).toEqual([])
    const [probe] = await database.owner`
      select extract(epoch from due_at - sealwright_now())::float8 as seconds from webhook_probes where webhook_id = ${webhookId}`
    expect(probe!['seconds']).toBeGreaterThan(6 * 3_600 - 60)
    expect(await database.owner`select template from mails where org_id = ${orgId}`).toMatchObject([
      { template: 'WEBHOOK_DISABLED' },
      { template: 'WEBHOOK_DISABLED' },
    ])
    expect(await exhaust(jobs[3]!)).toBe(false)
    expect(await webhook()).toMatchObject({ exhausted: 3 })
  })

  test('count in the order of their ends: a success in between starts again', async () => {
    for (const end of [exhaust, exhaust, settle, exhaust, exhaust]) await end(await aJob())
    expect(await webhook()).toMatchObject({ exhausted: 2, disabled: null })
    await exhaust(await aJob())
    expect(await webhook()).toMatchObject({ exhausted: 3, disabled: 'AUTOMATIC' })
  })

  test('disable it once when they end together', async () => {
    await person('ADMIN')
    const jobs = [await aJob(), await aJob(), await aJob(), await aJob()]
    const ends = await Promise.all(jobs.map(exhaust))
    // The fourth was closed by the disabling.
    expect(ends.toSorted()).toEqual(['failed', 'failed', 'failed', false].toSorted())
    expect(await webhook()).toMatchObject({ exhausted: 3, disabled: 'AUTOMATIC' })
    expect(await database.owner`select 1 from mails where org_id = ${orgId}`).toHaveLength(1)
  })

  test('and a success at the moment of the third end in some order, without an error', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 40; round++) {
      webhookId = await aWebhook(core, orgId, ['signer.signed'])
      await record(database.system, orgId, anEnvelope(), 'signer.signed')
      await record(database.system, orgId, anEnvelope(), 'signer.signed')
      const [failing, succeeding] = (await claim()).filter((job) => job.webhookId === webhookId)
      await database.owner`update webhooks set consecutive_exhausted = 2 where id = ${webhookId}`
      const ends = round % 2 === 0 ? [exhaust(failing!), settle(succeeding!)] : [settle(succeeding!), exhaust(failing!)]
      await Promise.all(ends)
      const { exhausted, disabled } = await webhook()
      outcomes.add(`${exhausted} ${disabled}`)
      expect(await deliveryOf(succeeding!)).toMatchObject({ status: 'DELIVERED', reason: null, jobs: 0 })
      await database.owner`delete from delivery_jobs where org_id = ${orgId}`
      await database.owner`update webhooks set disabled_reason = 'BY_ADMIN', disabled_at = now() where id = ${webhookId}`
    }
    // The success ended the row, or came after the disabling.
    expect([...outcomes].filter((outcome) => !['1 null', '3 AUTOMATIC'].includes(outcome))).toEqual([])
  })

  test('counts replays', async () => {
    for (let replays = 0; replays < 3; replays++) await exhaust(await aLeased('REPLAY'))
    expect(await webhook()).toMatchObject({ exhausted: 3, disabled: 'AUTOMATIC' })
  })
})

describe('a closed delivery', () => {
  const disable = () =>
    inTransaction(database.system, async (sql) => {
      const locked = await lockWebhook(sql, orgId, webhookId)
      await disableWebhook(sql, core, orgId, { id: webhookId, url: locked!.url, reason: 'BY_ADMIN' })
    })

  test('that is accepted late counts as delivered', async () => {
    const job = await aJob()
    await disable()
    expect(await deliveryOf(job)).toMatchObject({ status: 'GAVE_UP', reason: 'ENDPOINT_DISABLED', jobs: 0 })
    expect(await settle(job)).toBe(false)
    expect(await deliveryOf(job)).toMatchObject({ status: 'DELIVERED', reason: null, attempts: [{ responseStatus: 204 }] })
  })

  test('that is rejected late stays closed, with the attempt', async () => {
    const job = await aJob()
    await disable()
    expect(await settle(job, REJECTED)).toBe(false)
    expect(await deliveryOf(job)).toMatchObject({ status: 'GAVE_UP', reason: 'ENDPOINT_DISABLED', attempts: [{}] })
  })

  test('may be claimed or accepted at the moment of the disabling, without an error', async () => {
    for (let round = 0; round < 40; round++) {
      webhookId = await aWebhook(core, orgId, ['signer.viewed'])
      for (let event = 0; event < 6; event++) await record(database.system, orgId, anEnvelope(), 'signer.viewed')
      await database.owner`update webhooks set consecutive_exhausted = 1 where id = ${webhookId}`
      const jobs = (await claim()).filter((job) => job.webhookId === webhookId)
      await settle(jobs[0]!)
      await database.owner`update webhooks set consecutive_exhausted = 1 where id = ${webhookId}`
      await Promise.all([claim(), disable(), settle(jobs[1]!), claim()])
      expect(await database.owner`select 1 from delivery_jobs where webhook_id = ${webhookId}`).toEqual([])
    }
  })
})

describe('a stray delivery, recorded while its webhook was being', () => {
  test('disabled, is not sent; a test is', async () => {
    await recordEvent()
    const testJob = await aLeased('TEST')
    const [waiting] = await database.owner`select id from delivery_jobs where webhook_id = ${webhookId} and not is_test`
    await markDisabled(database.system, orgId, webhookId, 'AUTOMATIC')
    await pollDeliveries(core)
    expect(await deliveryOf(waiting as DeliveryJob)).toMatchObject({ status: 'NOT_SENT', reason: 'ENDPOINT_DISABLED', jobs: 0 })
    expect(await deliveryOf(testJob)).toMatchObject({ status: 'WAITING', jobs: 1 })
  })

  test('deleted, is not sent, nor is a test', async () => {
    const jobs = [await aJob(), await aLeased('TEST')]
    const other = await aWebhook(core, orgId)
    await recordEvent()
    await database.owner`delete from webhooks where id = ${webhookId}`
    await pollDeliveries(core)
    for (const job of jobs)
      expect(await deliveryOf(job)).toMatchObject({ status: 'NOT_SENT', reason: 'ENDPOINT_DELETED', jobs: 0 })
    expect(await database.owner`select 1 from delivery_jobs where webhook_id = ${other}`).toHaveLength(1)
  })
})

describe('a test', () => {
  test('is tried once and does not count', async () => {
    for (let tests = 0; tests < 3; tests++) {
      const job = await aLeased('TEST')
      expect(await settle(job, REJECTED)).toBe('failed')
      expect(await deliveryOf(job)).toMatchObject({ status: 'GAVE_UP', jobs: 0 })
    }
    expect(await webhook()).toMatchObject({ exhausted: 0, disabled: null })
  })

  test('that succeeds does not end a row of exhausted ones', async () => {
    await exhaust(await aJob())
    await settle(await aLeased('TEST'))
    expect(await webhook()).toMatchObject({ exhausted: 1 })
  })

  test.each([
    ['enables a webhook that was disabled automatically', 'AUTOMATIC', null],
    ['leaves one disabled that an admin disabled', 'BY_ADMIN', 'BY_ADMIN'],
  ] as const)('that succeeds %s', async (_, reason, after) => {
    await markDisabled(database.system, orgId, webhookId, reason)
    await settle(await aLeased('TEST'))
    expect(await webhook()).toMatchObject({ disabled: after })
  })
})

describe('an error of our own', () => {
  test('is no attempt and uses up no retry', async () => {
    await database.owner`update webhooks set secret_box = 'unreadable' where id = ${webhookId}`
    const { client, sent } = fakeClient()
    const job = await aJob()
    await deliver(core, client, job, new Set())
    expect(sent).toEqual([])
    expect(await deliveryOf(job)).toMatchObject({ status: 'WAITING', attempts: [], jobs: 1 })
    await database.moveClock(61)
    expect(await claim()).toMatchObject([{ id: job.id, failures: 0, outages: 1 }])
  })

  test('a delivery that ends its workers is put aside until an operator retries it', async () => {
    const { client, sent } = fakeClient()
    await recordEvent()
    let job: DeliveryJob | undefined
    for (let losses = 0; losses <= MAX_LOST_ATTEMPTS; losses++) {
      await database.moveClock(losses * 60)
      job = (await claim())[0]
    }
    await deliver(core, client, job!, new Set())
    expect(sent).toEqual([])
    await database.moveClock(100_000)
    expect(await claim()).toEqual([])
    expect(await retryJobs(core, DELIVERY_WORK, { id: job!.id }, async () => {})).toBe(1)
    const [again] = await claim()
    await deliver(core, client, again!, new Set())
    expect(sent).toHaveLength(1)
    expect(await deliveryOf(job!)).toMatchObject({ status: 'DELIVERED' })
  })
})
