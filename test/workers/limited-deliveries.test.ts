// Requests that are open at a time, counted at the client, while processes lease deliveries ahead of their sending.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OrgId, WebhookId } from '#core/ids.ts'
import { MAX_ORGANISATION_IN_FLIGHT, MAX_WEBHOOK_IN_FLIGHT } from '#core/limits.ts'
import { claimDeliveries } from '#core/webhook/delivery/claim-deliveries.ts'
import { releaseDeliveries, renewDeliveries } from '#core/webhook/delivery/lease-store.ts'
import { LEASE_SECONDS } from '#core/work/hold-lease.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { newDispatcher } from '../../workers/deliver/dispatcher.ts'
import { anOrganisation } from '../support/builders/rows.ts'
import { aClaim, anEnvelope, aWebhook, deliveryCore, fakeClient, OK, record } from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

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
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

async function aBacklog(webhooks: number, events: number): Promise<void> {
  for (let webhook = 0; webhook < webhooks; webhook++) await aWebhook(core, orgId)
  for (let event = 0; event < events; event++) await record(database.system, orgId, anEnvelope(), 'envelope.sent')
}

const leased = () => database.owner`select id from delivery_jobs where org_id = ${orgId} and leased_until > sealwright_now()`

/** A client that counts its open requests, and answers each after some turns of the event loop. */
function countingClient() {
  const open = new Map<string, number>()
  const most = { webhook: 0, organisation: 0 }
  const fake = fakeClient(async ({ url }) => {
    open.set(url, (open.get(url) ?? 0) + 1)
    most.webhook = Math.max(most.webhook, ...open.values())
    most.organisation = Math.max(
      most.organisation,
      [...open.values()].reduce((sum, each) => sum + each, 0),
    )
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    open.set(url, open.get(url)! - 1)
    return OK
  })
  return { ...fake, most }
}

// requirements: decisions/webhooks/isolation
test.each([1, 10])(
  'at most four requests to a webhook and sixteen of the organisation are open while its queue is sent, number of processes: %i',
  async (processes) => {
    const [webhooks, events] = [6, 40]
    await aBacklog(webhooks, events)
    const { client, sent, most } = countingClient()
    await using stack = new AsyncDisposableStack()
    const dispatchers = Array.from({ length: processes }, () => stack.use(newDispatcher(core, client)))
    await expect
      .poll(async () => {
        await Promise.all(dispatchers.map((each) => each.start(orgId)))
        return database.owner`select 1 from delivery_jobs where org_id = ${orgId}`
      })
      .toEqual([])
    expect(most.webhook).toBeLessThanOrEqual(MAX_WEBHOOK_IN_FLIGHT)
    expect(most.organisation).toBe(MAX_ORGANISATION_IN_FLIGHT)
    expect(new Set(sent.map(({ url, headers }) => `${url} ${headers['x-svc-event-id']}`)).size).toBe(webhooks * events)
    expect(sent).toHaveLength(webhooks * events)
  },
)

test('a process that leases ahead leaves to others what it can no longer have open', async () => {
  await aBacklog(1, 50)
  const [webhook] = await database.owner<{ id: WebhookId }[]>`select id from webhooks where org_id = ${orgId}`
  const claim = () =>
    claimDeliveries(core, orgId, aClaim({ prefetch: 100, webhookPrefetch: [{ id: webhook!.id, prefetch: 20 }] }))
  const first = await claim()
  expect(first).toHaveLength(MAX_WEBHOOK_IN_FLIGHT + 20)
  expect(new Set(first.map(({ mayOpen }) => mayOpen))).toEqual(new Set([MAX_WEBHOOK_IN_FLIGHT]))
  expect(await claim()).toEqual([])
  await database.owner`delete from delivery_jobs where id = any(${first.slice(3).map(({ id }) => id)}::uuid[])`
  const second = await claim()
  expect(second).toHaveLength(1 + 20)
  expect(new Set(second.map(({ mayOpen }) => mayOpen))).toEqual(new Set([1]))
  expect(await claim()).toEqual([])
})

test('many leases are renewed and released together, but none that another process has taken since', async () => {
  await aBacklog(1, 3)
  const jobs = await claimDeliveries(core, orgId, aClaim())
  await database.moveClock(LEASE_SECONDS - 1)
  await database.owner`update delivery_jobs set attempts = attempts + 1 where id = ${jobs[2]!.id}`
  expect([...(await renewDeliveries(database.system, jobs))].toSorted()).toEqual([jobs[0]!.id, jobs[1]!.id].toSorted())
  await database.moveClock(LEASE_SECONDS + 1)
  expect(await leased()).toHaveLength(2)
  await releaseDeliveries(database.system, jobs)
  expect(await leased()).toEqual([])
  const rows = await database.owner`select released from delivery_jobs where org_id = ${orgId} order by released`
  expect(rows.map(({ released }) => released)).toEqual([0, 1, 1])
})

test('deliveries that wait in the process for a second are released: their webhook does not answer quickly any more', async () => {
  await aBacklog(1, 120)
  const hanging = Promise.withResolvers<void>()
  let answers = 40
  const { client, sent } = fakeClient(async () => {
    await nextTurn()
    if (answers-- <= 0) await hanging.promise
    return OK
  })
  await using dispatcher = newDispatcher(core, client)
  await dispatcher.start(orgId)
  await expect.poll(() => sent.length).toBe(40 + MAX_WEBHOOK_IN_FLIGHT)
  const released = async () =>
    (await database.owner`select sum(released)::int as count from delivery_jobs where org_id = ${orgId}`)[0]!['count']
  await expect.poll(released).toBeGreaterThan(0)
  await expect.poll(async () => (await leased()).length).toBe(MAX_WEBHOOK_IN_FLIGHT)
  hanging.resolve()
  await expect.poll(() => sent.length).toBe(120)
})
