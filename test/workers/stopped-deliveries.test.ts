// A deliver role that stops while requests are in flight finishes them, or releases them for another worker at the end of its grace period.
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { MAX_WEBHOOK_IN_FLIGHT } from '#core/limits.ts'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDeliver } from '../../workers/deliver/start-deliver.ts'
import { drainWithDeadline } from '../../workers/runtime/drain-with-deadline.ts'
import { anOrganisation } from '../support/builders/rows.ts'
import { anEnvelope, aWebhook, deliveryCore, record } from '../support/builders/webhooks.ts'
import { type DeliveryReceiver, readEvent, startDeliveryReceiver } from '../support/servers/delivery-receiver.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'
import { answerOf } from '../support/servers/webhook-receiver.ts'

/** All are in flight at once. */
const EVENTS = MAX_WEBHOOK_IN_FLIGHT
const LONG_MS = 30_000
const SHORT_MS = 50

let database: TestDatabase
let core: StorelessCore
let orgId: OrgId
let receiver: DeliveryReceiver
/** Answers the requests that wait. */
let answerHeld: () => void

beforeAll(async () => {
  database = await testDatabase()
  core = deliveryCore(database)
})
beforeEach(async () => {
  const held: (() => void)[] = []
  receiver = await startDeliveryReceiver((socket) => void held.push(() => socket.write(answerOf(204))))
  answerHeld = () => held.splice(0).forEach((answer) => answer())
  orgId = (await anOrganisation(database.system)).orgId
  await aWebhook(core, orgId)
  for (let event = 0; event < EVENTS; event++) await record(database.system, orgId, anEnvelope(), 'envelope.sent')
})
afterEach(async () => {
  await receiver[Symbol.asyncDispose]()
  await database.owner`delete from delivery_jobs`
})
afterAll(() => database[Symbol.asyncDispose]())

const startWorker = () => startDeliver(core, inProcessNotifier(), receiver.client)
const jobs = () => database.owner`select attempts, failures, released, leased_until from delivery_jobs where org_id = ${orgId}`
const deliveries = () => database.owner`
  select status, jsonb_array_length(attempts)::int as attempts from deliveries where org_id = ${orgId}`
const times = <T>(row: T) => Array.from({ length: EVENTS }, () => row)
const received = () => receiver.requests.map(readEvent)

async function untilReceived(requests: number): Promise<void> {
  await expect.poll(() => receiver.requests.length).toBe(requests)
}

test('it waits for the answers and records them: each event is sent once', async () => {
  const worker = startWorker()
  await untilReceived(EVENTS)
  await record(database.system, orgId, anEnvelope(), 'envelope.sent')
  const stopped = drainWithDeadline('deliver', worker, core.log, LONG_MS)
  answerHeld()
  await stopped
  expect(await deliveries()).toEqual(
    expect.arrayContaining([...times({ status: 'DELIVERED', attempts: 1 }), { status: 'WAITING', attempts: 0 }]),
  )
  // It may have been leased ahead, and released unsent.
  const [last, ...others] = await jobs()
  expect(others).toEqual([])
  expect({ ...last, attempts: last?.['attempts'] - last?.['released'] }, 'the event after the stop').toMatchObject({
    attempts: 0,
    failures: 0,
    leasedUntil: null,
  })
  expect(new Set(received().map(({ eventId }) => eventId)).size).toBe(EVENTS)
  expect(receiver.requests).toHaveLength(EVENTS)
})

test('it gives a request all the time that it may take, and a moment to record the result', async () => {
  await using worker = startWorker()
  expect(worker.finishWithinMs).toBe(core.settings.webhookTimeoutSeconds * 1_000 + 1_000)
  await untilReceived(EVENTS)
  answerHeld()
})

test('it releases what no answer came for: the next worker sends it at once, with the same id and bytes, and it ends once', async () => {
  const worker = startWorker()
  await untilReceived(EVENTS)
  await drainWithDeadline('deliver', worker, core.log, SHORT_MS)
  expect(await jobs()).toEqual(times({ attempts: 1, failures: 0, released: 1, leasedUntil: null }))
  const first = received()
  const next = startWorker()
  await untilReceived(2 * EVENTS)
  answerHeld()
  await Promise.all([worker[Symbol.asyncDispose](), next[Symbol.asyncDispose]()])
  expect(await deliveries()).toEqual(times({ status: 'DELIVERED', attempts: 2 }))
  expect(await jobs()).toEqual([])
  const byId = (events: typeof first) => new Map(events.map(({ eventId, body }) => [eventId, body]))
  expect(byId(received().slice(EVENTS))).toEqual(byId(first))
  expect(receiver.requests).toHaveLength(2 * EVENTS)
})
