// Accepted deliveries that end together are recorded together, each as if alone.
import { closeDeliveries } from '#core/webhook/delivery/settle-store.ts'
import { recordInBatches } from '#core/webhook/delivery/record-in-batches.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { webhookAttempts } from '#core/platform/metrics/metrics.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aDeliveryWorld, type DeliveryWorld } from '../support/builders/delivery-world.ts'
import { anAttempt, OK, REJECTED } from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let world: DeliveryWorld

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  world = await aDeliveryWorld(database)
})
afterAll(() => database[Symbol.asyncDispose]())

/** Leased at the same time. */
async function someJobs() {
  for (let each = 0; each < 3; each++) await world.recordEvent()
  return world.claim()
}

const recordAll = (jobs: Awaited<ReturnType<typeof someJobs>>) => {
  const record = recordInBatches(world.core.database)
  return Promise.all(jobs.map((job) => record(job, anAttempt(OK))))
}

test('each is delivered with its attempt, and its job is gone', async () => {
  const jobs = await someJobs()
  expect(await recordAll(jobs)).toEqual([true, true, true])
  for (const job of jobs) {
    const { attempts, ...state } = await world.deliveryOf(job)
    expect(state).toMatchObject({ status: 'DELIVERED', reason: null, jobs: 0 })
    expect(attempts).toHaveLength(1)
  }
})

test('two attempts of one delivery are both in its history, and only one of them is the first', async () => {
  const [job, other] = await someJobs()
  expect((await recordAll([job!, other!, job!])).filter((isFirst) => !isFirst)).toHaveLength(1)
  expect((await world.deliveryOf(job!)).attempts).toHaveLength(2)
})

test('one that was closed meanwhile counts as delivered too, and is not the first end', async () => {
  const jobs = await someJobs()
  await database.owner`delete from delivery_jobs where id = ${jobs[1]!.id}`
  expect(await recordAll(jobs)).toEqual([true, false, true])
  for (const job of jobs) expect(await world.deliveryOf(job)).toMatchObject({ status: 'DELIVERED' })
})

test('a success ends a row of exhausted ones', async () => {
  await world.exhaust(await world.aJob())
  expect(await recordAll(await someJobs())).toEqual([true, true, true])
  expect(await world.webhook()).toMatchObject({ exhausted: 0 })
})

test('a change of the webhook at the same time is no deadlock', async () => {
  const jobs = await someJobs()
  const recorded = await inTransaction(database.system, async (sql) => {
    await closeDeliveries(sql, world.orgId, world.webhookId, 'ENDPOINT_DISABLED')
    const all = recordAll(jobs)
    await expect
      .poll(async () => {
        const [row] = await database.owner`
          select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return row!['count']
      })
      .toBe(3)
    return { all }
  })
  expect(await recorded.all).toEqual([false, false, false])
  for (const job of jobs) expect(await world.deliveryOf(job)).toMatchObject({ status: 'DELIVERED' })
})

test('attempts are counted by outcome and failure', async () => {
  const valueOf = async (outcome: string, failure: string) => {
    const { values } = await webhookAttempts.get()
    return values.find(({ labels }) => labels.outcome === outcome && labels.failure === failure)?.value ?? 0
  }
  const counts = () =>
    Promise.all([valueOf('delivered', 'none'), valueOf('rejected', 'HTTP_STATUS'), valueOf('gave_up', 'HTTP_STATUS')])
  const before = await counts()
  await world.settle(await world.aJob())
  await world.settle(await world.aJob(), REJECTED)
  await world.exhaust(await world.aJob())
  const after = await counts()
  expect(after.map((value, index) => value - before[index]!)).toEqual([1, 1, 1])
})
