// What the result of an attempt changes: the delivery and its job.
import { MAX_LOST_ATTEMPTS } from '#core/limits.ts'
import { deliver } from '#core/webhook/send/deliver.ts'
import { DELIVERY_WORK, type DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { settleDelivery } from '#core/webhook/send/settle-delivery.ts'
import { LEASE_SECONDS } from '#core/work/hold-lease.ts'
import { retryJobs } from '#core/work/retry-jobs.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aDeliveryWorld, type DeliveryWorld } from '../support/builders/delivery-world.ts'
import { anAttempt, deliveryCore, fakeClient, OK, REJECTED, TIMED_OUT } from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

/** The default of SEALWRIGHT_WEBHOOK_RETRY_DELAYS. */
const DELAYS = [60, 300, 1_800, 7_200, 43_200]

let database: TestDatabase
let world: DeliveryWorld

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  world = await aDeliveryWorld(database)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

describe('an accepted delivery', () => {
  test('is delivered, and its job is gone', async () => {
    const job = await world.aJob()
    expect(await world.settle(job)).toBe(true)
    expect(await world.deliveryOf(job)).toMatchObject({ status: 'DELIVERED', reason: null, jobs: 0 })
    const { attempts } = await world.deliveryOf(job)
    expect(attempts).toEqual([{ at: expect.any(String), durationMs: OK.durationMs, responseStatus: 204 }])
  })

  test('ends a row of exhausted ones', async () => {
    await world.exhaust(await world.aJob())
    expect(await world.webhook()).toMatchObject({ exhausted: 1 })
    await world.settle(await world.aJob())
    expect(await world.webhook()).toMatchObject({ exhausted: 0 })
  })
})

describe('a rejected delivery', () => {
  // requirements: service-api/limits/webhook retry delays
  test('is retried after 1 m, 5 m, 30 m, 2 h and 12 h by the database clock, then given up', async () => {
    await world.recordEvent()
    let seconds = 0
    for (const [failures, delay] of DELAYS.entries()) {
      const [job] = await world.claim()
      expect(job).toMatchObject({ attempts: failures + 1, failures })
      expect(await world.settle(job!, REJECTED)).toBe('failed')
      expect(await world.deliveryOf(job!)).toMatchObject({ status: 'REJECTED', jobs: 1 })
      await database.moveClock(seconds + delay - 5)
      expect(await world.claim()).toEqual([])
      seconds += delay + 5
      await database.moveClock(seconds)
    }
    const [last] = await world.claim()
    expect(await world.settle(last!, REJECTED)).toBe('failed')
    const ended = await world.deliveryOf(last!)
    expect(ended).toMatchObject({ status: 'GAVE_UP', reason: null, jobs: 0 })
    expect(ended['attempts']).toHaveLength(DELAYS.length + 1)
    expect(ended['attempts'][0]).toMatchObject({ responseStatus: 500, failure: { code: 'HTTP_STATUS', detail: '500' } })
    expect(await world.webhook()).toMatchObject({ exhausted: 1, disabled: null })
  })

  test('does not count as waiting until its retry, so that the age of the queue shows late deliveries', async () => {
    const job = await world.aJob()
    await world.settle(job, REJECTED)
    const [row] = await database.owner`
      select extract(epoch from wanted_at - sealwright_now())::float8 as seconds from delivery_jobs where id = ${job.id}`
    expect(Math.abs(row!['seconds'] - 60)).toBeLessThan(10)
  })

  test('is retried as the setting says', async () => {
    const hasty = deliveryCore(database, { SEALWRIGHT_WEBHOOK_RETRY_DELAYS: '7s' })
    const job = await world.aJob()
    await settleDelivery(hasty, job, anAttempt(REJECTED))
    await database.moveClock(8)
    const [again] = await world.claim()
    await settleDelivery(hasty, again!, anAttempt(REJECTED))
    expect(await world.deliveryOf(job)).toMatchObject({ status: 'GAVE_UP' })
  })

  test('makes its webhook slow only when it let the delivery time out', async () => {
    await world.settle(await world.aJob(), REJECTED)
    expect(await world.webhook()).toMatchObject({ slow: null })
    await world.settle(await world.aJob(), TIMED_OUT)
    expect(await world.webhook()).toMatchObject({ slow: true })
  })
})

// requirements: service-api/delivery/X-Svc-Signature, service-api/delivery/X-Svc-Event-Id, service-api/delivery/X-Svc-Event-Type
test('every attempt sends the same bytes and event id, and the signature is of its time', async () => {
  const { client, sent } = fakeClient(() => REJECTED)
  await deliver(world.core, client, await world.aJob())
  await database.moveClock(61)
  const [again] = await world.claim()
  await deliver(world.core, client, again!)
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
    const late = await world.aJob()
    await database.moveClock(LEASE_SECONDS + 1)
    const [next] = await world.claim()
    expect(next).toMatchObject({ id: late.id, attempts: 2 })
    return { late, next: next! }
  }

  test.each([
    ['failed', (job: DeliveryJob) => world.settle(job, REJECTED)],
    ['failed for the last time', (job: DeliveryJob) => world.exhaust(job)],
  ])('and %s adds its attempt and changes nothing else', async (_, settleLate) => {
    const { late, next } = await twoWorkers()
    expect(await settleLate(late)).toBe(false)
    expect(await world.deliveryOf(late)).toMatchObject({ status: 'WAITING', jobs: 1, attempts: [{ responseStatus: 500 }] })
    expect(await world.webhook()).toMatchObject({ exhausted: 0 })
    expect(await world.settle(next)).toBe(true)
    expect(await world.deliveryOf(late)).toMatchObject({ status: 'DELIVERED', jobs: 0 })
  })

  test('and succeeded has delivered it: what the other one does changes nothing', async () => {
    const { late, next } = await twoWorkers()
    expect(await world.settle(late)).toBe(true)
    expect(await world.deliveryOf(late)).toMatchObject({ status: 'DELIVERED', jobs: 0 })
    expect(await world.exhaust(next)).toBe(false)
    expect(await world.deliveryOf(late)).toMatchObject({ status: 'DELIVERED', jobs: 0, attempts: [{ responseStatus: 204 }, {}] })
    expect(await world.webhook()).toMatchObject({ exhausted: 0 })
  })

  test('has released it when it stops, and cannot record a failure then', async () => {
    const job = await world.aJob()
    await database.owner`update delivery_jobs set released = 1, leased_until = null where id = ${job.id}`
    expect(await world.settle(job, REJECTED)).toBe(false)
    expect(await world.claim()).toMatchObject([{ id: job.id, attempts: 2, failures: 0 }])
  })
})

describe('an error of our own', () => {
  test('is no attempt and uses up no retry', async () => {
    await database.owner`update webhooks set secret_box = 'unreadable' where id = ${world.webhookId}`
    const { client, sent } = fakeClient()
    const job = await world.aJob()
    await deliver(world.core, client, job)
    expect(sent).toEqual([])
    expect(await world.deliveryOf(job)).toMatchObject({ status: 'WAITING', attempts: [], jobs: 1 })
    await database.moveClock(61)
    expect(await world.claim()).toMatchObject([{ id: job.id, failures: 0, outages: 1 }])
  })

  test('a delivery that ends its workers is put aside until an operator retries it', async () => {
    const { client, sent } = fakeClient()
    await world.recordEvent()
    let job: DeliveryJob | undefined
    for (let losses = 0; losses <= MAX_LOST_ATTEMPTS; losses++) {
      await database.moveClock(losses * 60)
      job = (await world.claim())[0]
    }
    await deliver(world.core, client, job!)
    expect(sent).toEqual([])
    await database.moveClock(100_000)
    expect(await world.claim()).toEqual([])
    expect(await retryJobs(world.core, DELIVERY_WORK, { id: job!.id }, async () => {})).toBe(1)
    const [again] = await world.claim()
    await deliver(world.core, client, again!)
    expect(sent).toHaveLength(1)
    expect(await world.deliveryOf(job!)).toMatchObject({ status: 'DELIVERED' })
  })
})
