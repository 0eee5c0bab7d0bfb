// A worker sends what is due, as many at a time as it has places for.
import type { OrgId } from '#core/ids.ts'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import { MAX_WEBHOOK_IN_FLIGHT, WEBHOOK_SLOW_SECONDS } from '#core/limits.ts'
import { markSlow } from '#core/webhook/store.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anOrganisation } from '../support/builders/rows.ts'
import { anEnvelope, aWebhook, deliveryCore, fakeClient, OK, record } from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'
import { newDispatcher } from '../../workers/deliver/dispatcher.ts'
import { startDeliver } from '../../workers/deliver/start-deliver.ts'
import { drainWithDeadline } from '../../workers/runtime/drain-with-deadline.ts'

let database: TestDatabase
let core: ReturnType<typeof deliveryCore>
let orgId: OrgId

beforeAll(async () => {
  database = await testDatabase()
  core = deliveryCore(database)
})
beforeEach(async () => {
  orgId = (await anOrganisation(database.system)).orgId
})
afterAll(() => database[Symbol.asyncDispose]())

async function recordEvents(count: number): Promise<void> {
  for (let event = 0; event < count; event++) await record(database.system, orgId, anEnvelope(), 'envelope.sent')
}

/** A client whose requests wait for `release`, and how many ran at most. */
function heldClient() {
  const released = Promise.withResolvers<void>()
  const seen = { running: 0, most: 0 }
  const fake = fakeClient(async () => {
    seen.most = Math.max(seen.most, ++seen.running)
    await released.promise
    seen.running--
    return OK
  })
  return { ...fake, seen, release: released.resolve }
}

test('one poll sends everything that is due, once', async () => {
  for (let webhook = 0; webhook < 3; webhook++) await aWebhook(core, orgId)
  await recordEvents(15)
  const { client, sent } = fakeClient()
  await using dispatcher = newDispatcher(core, client)
  expect(await dispatcher.start()).toBe(true)
  await expect.poll(() => database.owner`select 1 from delivery_jobs where org_id = ${orgId}`).toEqual([])
  expect(sent).toHaveLength(45)
  expect(new Set(sent.map(({ url, headers }) => `${url} ${headers['x-svc-event-id']}`)).size).toBe(45)
  expect(await dispatcher.start(orgId)).toBe(false)
})

test('a place that becomes free is taken at once when all were taken', async () => {
  await aWebhook(core, orgId)
  await recordEvents(6)
  const { client, sent, seen, release } = heldClient()
  await using dispatcher = newDispatcher(core, client, { max: 2, maxSlow: 1 })
  await Promise.all([dispatcher.start(orgId), dispatcher.start(orgId), dispatcher.start()])
  await expect.poll(() => sent.length).toBe(2)
  release()
  await expect.poll(() => sent.length).toBe(6)
  expect(seen.most).toBe(2)
})

test('slow webhooks leave places to others', async () => {
  for (let webhook = 0; webhook < 3; webhook++)
    await markSlow(database.system, orgId, await aWebhook(core, orgId), WEBHOOK_SLOW_SECONDS)
  const prompt = await aWebhook(core, orgId)
  await recordEvents(3)
  const { client, sent, release } = heldClient()
  await using dispatcher = newDispatcher(core, client, { max: 4, maxSlow: 2 })
  await dispatcher.start(orgId)
  await dispatcher.start(orgId)
  await expect.poll(() => sent.length).toBe(4)
  expect(sent.filter(({ url }) => url.endsWith(prompt))).toHaveLength(2)
  release()
})

test('a worker that stops finishes what runs and begins nothing more', async () => {
  await aWebhook(core, orgId)
  await recordEvents(10)
  const { client, sent, release } = heldClient()
  const dispatcher = newDispatcher(core, client)
  await dispatcher.start(orgId)
  const stopped = dispatcher[Symbol.asyncDispose]()
  release()
  await stopped
  expect(sent).toHaveLength(MAX_WEBHOOK_IN_FLIGHT)
  const left = await database.owner`select leased_until from delivery_jobs where org_id = ${orgId}`
  expect(left).toMatchObject(Array.from({ length: 10 - MAX_WEBHOOK_IN_FLIGHT }, () => ({ leasedUntil: null })))
})

test('a worker whose grace ends frees what still runs: another sends it, and the late answer is recorded once', async () => {
  await aWebhook(core, orgId)
  await recordEvents(1)
  const { client, release } = heldClient()
  const loop = startDeliver(core, inProcessNotifier(), client)
  const job = async () =>
    (await database.owner`select leased_until, failures, attempts from delivery_jobs where org_id = ${orgId}`)[0]
  await expect.poll(job).toMatchObject({ attempts: 1, leasedUntil: expect.any(Date) })
  await drainWithDeadline('deliver', loop, core.log, 50)
  expect(await job()).toMatchObject({ leasedUntil: null, failures: 0 })
  const next = fakeClient()
  await using dispatcher = newDispatcher(core, next.client)
  await dispatcher.start(orgId)
  await expect.poll(job).toBeUndefined()
  expect(next.sent).toHaveLength(1)
  release()
  await loop[Symbol.asyncDispose]()
  const rows =
    await database.owner`select status, jsonb_array_length(attempts) as attempts from deliveries where org_id = ${orgId}`
  expect(rows).toEqual([{ status: 'DELIVERED', attempts: 2 }])
})
