// Which due deliveries are leased, in which order, and how many at a time.
import type { OrgId, WebhookId } from '#core/ids.ts'
import {
  MAX_ORGANISATION_IN_FLIGHT,
  MAX_ORGANISATION_SLOW_IN_FLIGHT,
  MAX_WEBHOOK_IN_FLIGHT,
  WEBHOOK_SLOW_SECONDS,
} from '#core/limits.ts'
import { insertEvents } from '#core/event/store.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { claimDeliveries } from '#core/webhook/delivery/claim-deliveries.ts'
import { leaseDeliveries, readInOrder } from '#core/webhook/delivery/claim-store.ts'
import type { DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { pollDeliveries } from '#core/webhook/delivery/poll-deliveries.ts'
import { settleDelivery } from '#core/webhook/send/settle-delivery.ts'
import { insertDelivery, insertDeliveryJobs } from '#core/webhook/delivery/store.ts'
import { castVote, markSlow } from '#core/webhook/store.ts'
import { newSyntheticEvent } from '#core/webhook/synthetic-event.ts'
import { LEASE_SECONDS } from '#core/work/hold-lease.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anOrganisation } from '../support/builders/rows.ts'
import { aClaim, anAttempt, anEnvelope, aWebhook, deliveryCore, OK, record, REJECTED } from '../support/builders/webhooks.ts'
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

const claim = (overrides: Parameters<typeof aClaim>[0] = {}) => claimDeliveries(core, orgId, aClaim(overrides))
const webhooksOf = (jobs: readonly DeliveryJob[]) => jobs.map(({ webhookId }) => webhookId)
const settle = (job: DeliveryJob, result = OK) => settleDelivery(core, job, anAttempt(result))

/** So many events of different envelopes for this webhook alone, due in the past by so many seconds. */
async function aBacklog(count: number, dueSeconds = 0): Promise<WebhookId> {
  const id = await aWebhook(core, orgId, ['envelope.sent'])
  await record(database.system, orgId, anEnvelope(), 'envelope.sent')
  await database.owner`delete from delivery_jobs where webhook_id <> ${id} and seq = (select max(seq) from delivery_jobs)`
  await database.owner`
    insert into delivery_jobs (org_id, id, webhook_id, event_id, envelope_id, seq, due_at)
    select org_id, gen_random_uuid(), webhook_id, event_id, gen_random_uuid(), seq, due_at
    from delivery_jobs, generate_series(2, ${count}::int) where webhook_id = ${id}`
  await database.owner`update delivery_jobs set due_at = due_at - make_interval(secs => ${dueSeconds}) where webhook_id = ${id}`
  return id
}

/** A test of the webhook. */
async function aTest(webhookId: WebhookId) {
  const event = newSyntheticEvent('envelope.sent', new Date())
  await insertEvents(database.system, orgId, [event])
  const id = await insertDelivery(database.system, orgId, { webhookId, eventId: event.id, kind: 'TEST', status: 'WAITING' })
  await insertDeliveryJobs(database.system, orgId, [id])
  return id
}

describe('in flight at a time are', () => {
  test('four of a webhook', async () => {
    await aBacklog(10)
    const first = await claim()
    expect(first).toHaveLength(MAX_WEBHOOK_IN_FLIGHT)
    expect(await claim()).toEqual([])
    await settle(first[0]!)
    expect(await claim()).toHaveLength(1)
  })

  test('as many as there are free places', async () => {
    await aBacklog(10)
    expect(await claim({ places: 3, slowPlaces: 3 })).toHaveLength(3)
    expect(await claim({ places: 0, slowPlaces: 0 })).toEqual([])
  })

  // requirements: decisions/webhooks/isolation
  test('sixteen of an organisation, exactly, when ten processes claim together', async () => {
    for (let round = 0; round < 5; round++) {
      orgId = (await anOrganisation(database.system)).orgId
      for (let webhook = 0; webhook < 6; webhook++) await aBacklog(10)
      const jobs = (await Promise.all(Array.from({ length: 10 }, () => claim()))).flat()
      expect(jobs).toHaveLength(MAX_ORGANISATION_IN_FLIGHT)
      expect(new Set(jobs.map(({ id }) => id)).size).toBe(MAX_ORGANISATION_IN_FLIGHT)
      const perWebhook = [...Map.groupBy(jobs, ({ webhookId }) => webhookId).values()]
      expect(perWebhook.filter((own) => own.length > MAX_WEBHOOK_IN_FLIGHT)).toEqual([])
    }
  })

  test('one of a slow webhook, until it has been prompt for a while', async () => {
    const slow = await aBacklog(10)
    await markSlow(database.system, orgId, slow, WEBHOOK_SLOW_SECONDS)
    const first = await claim()
    expect(first).toHaveLength(1)
    expect(await claim()).toEqual([])
    await settle(first[0]!)
    await database.moveClock(WEBHOOK_SLOW_SECONDS + 1)
    expect(await claim()).toHaveLength(MAX_WEBHOOK_IN_FLIGHT)
  })

  test('a quarter of an organisation for its slow webhooks together', async () => {
    for (let webhook = 0; webhook < 19; webhook++)
      await markSlow(database.system, orgId, await aBacklog(5, 600), WEBHOOK_SLOW_SECONDS)
    const quarter = MAX_ORGANISATION_SLOW_IN_FLIGHT
    const slow = await claim()
    expect(slow).toHaveLength(quarter)
    expect(slow.every(({ isSlow }) => isSlow)).toBe(true)
    expect(await claim()).toEqual([])
    await settle(slow[0]!)
    const prompt = await aBacklog(2)
    const next = await claim({ places: 100, slowPlaces: 1 })
    expect(webhooksOf(next).filter((id) => id === prompt)).toHaveLength(2)
    expect(next).toHaveLength(3)
  })

  test('of slow webhooks as many as the process has places for them', async () => {
    for (let webhook = 0; webhook < 3; webhook++) await markSlow(database.system, orgId, await aBacklog(2), WEBHOOK_SLOW_SECONDS)
    expect(await claim({ places: 100, slowPlaces: 2 })).toHaveLength(2)
    expect(await claim({ places: 100, slowPlaces: 0 })).toEqual([])
  })
})

describe('first come', () => {
  test('deliveries of different webhooks in turn, whatever one has waiting', async () => {
    const busy = await aBacklog(100, 3_600)
    const other = await aBacklog(1)
    expect(webhooksOf(await claim({ places: 2, slowPlaces: 2 })).toSorted()).toEqual([busy, other].toSorted())
  })

  test('webhooks with fewer deliveries in flight, when all places were taken', async () => {
    for (let webhook = 0; webhook < 4; webhook++) await aBacklog(100, 3_600)
    const [first] = await claim()
    const late = await aBacklog(1)
    expect(await claim()).toEqual([])
    await settle(first!)
    expect(webhooksOf(await claim())).toEqual([late])
  })

  test('those of a webhook that have been due longest', async () => {
    await aBacklog(3)
    const [newest, oldest] = await database.owner`select id from delivery_jobs where org_id = ${orgId} order by id`
    await database.owner`update delivery_jobs set due_at = due_at - interval '9 s' where id = ${oldest!['id']}`
    await database.owner`update delivery_jobs set due_at = due_at + interval '9 s' where id = ${newest!['id']}`
    expect(await claim({ places: 1, slowPlaces: 1 })).toMatchObject([{ id: oldest!['id'] }])
    expect(await claim()).toHaveLength(1)
    await database.moveClock(10)
    expect((await claim()).map(({ id }) => id)).toContain(newest!['id'])
  })

  test('tests, ahead of what waits', async () => {
    const webhookId = await aBacklog(50, 3_600)
    const id = await aTest(webhookId)
    expect(await claim({ places: 1, slowPlaces: 1 })).toMatchObject([{ id, isTest: true }])
  })
})

describe('a disabled webhook', () => {
  test('gets its test and nothing else', async () => {
    const webhookId = await aBacklog(3)
    await castVote(database.system, orgId, webhookId, 'BY_ADMIN')
    const id = await aTest(webhookId)
    expect(await claim()).toMatchObject([{ id }])
  })
})

describe('deliveries of one envelope to one webhook', () => {
  /** The types that are claimed now. */
  const types = (jobs: readonly DeliveryJob[]) => jobs.map(({ eventType }) => eventType)

  test('are first attempted in the order of the events, one after the other', async () => {
    await aWebhook(core, orgId)
    await record(database.system, orgId, anEnvelope(), 'envelope.sent', 'signer.viewed', 'signer.signed')
    const first = await claim()
    expect(types(first)).toEqual(['envelope.sent'])
    expect(await claim()).toEqual([])
    await settle(first[0]!)
    const second = await claim()
    expect(types(second)).toEqual(['signer.viewed'])
    await settle(second[0]!, REJECTED)
    expect(types(await claim())).toEqual(['signer.signed'])
  })

  test('do not wait for another envelope or another webhook', async () => {
    await aWebhook(core, orgId)
    await aWebhook(core, orgId)
    await record(database.system, orgId, anEnvelope(), 'envelope.sent', 'signer.viewed')
    await record(database.system, orgId, anEnvelope(), 'envelope.sent', 'signer.viewed')
    expect(types(await claim())).toEqual(Array.from({ length: 4 }, () => 'envelope.sent'))
  })
})

describe('a leased delivery', () => {
  test('is taken again when its lease has ended, with the next number', async () => {
    await aBacklog(1)
    const [first] = await claim()
    expect(first).toMatchObject({ attempts: 1, failures: 0 })
    await database.moveClock(LEASE_SECONDS - 1)
    expect(await claim()).toEqual([])
    await database.moveClock(LEASE_SECONDS + 1)
    expect(await claim()).toMatchObject([{ id: first!.id, attempts: 2, failures: 0 }])
  })

  test('is not sent again at once when a late worker records its failure during the claim', async () => {
    await aBacklog(1)
    const [late] = await claim()
    await database.moveClock(LEASE_SECONDS + 1)
    const { system } = database
    const settled = Promise.withResolvers<void>()
    const claimed = system.begin(async (sql) => {
      // As the settling does, before the claim reads the row, and committed after it waits for it.
      await sql`update delivery_jobs set failures = 1, leased_until = null, due_at = sealwright_now() + interval '1 min' where id = ${late!.id}`
      const waiting = claim()
      await expect
        .poll(
          () => database.owner`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        .toHaveLength(1)
      settled.resolve()
      return { waiting }
    })
    await settled.promise
    expect(await (await claimed).waiting).toEqual([])
  })
})

test('a claimed delivery carries the exact body, and the previous secret while it is valid', async () => {
  const webhookId = await aBacklog(2)
  await database.owner`
    update webhooks set previous_secret_box = 'old', previous_secret_expires_at = sealwright_now() + interval '1 h' where id = ${webhookId}`
  const [job] = await claim({ places: 1, slowPlaces: 1 })
  const [event] = await database.owner`select body from events where id = ${job!.eventId}`
  expect(job).toMatchObject({ body: event!['body'], previousSecretBox: Buffer.from('old'), isTest: false })
  await database.moveClock(3_601)
  expect(await claim()).toMatchObject([{ previousSecretBox: null }, { previousSecretBox: null }])
})

test('organisations are listed while a delivery of theirs is due', async () => {
  const later = await anOrganisation(database.system)
  await aBacklog(3)
  const due = orgId
  orgId = later.orgId
  await aBacklog(3, -600)
  const listed = await pollDeliveries(core)
  expect(listed).toContain(due)
  expect(listed).not.toContain(later.orgId)
  await database.moveClock(601)
  expect(await pollDeliveries(core)).toContain(later.orgId)
})

test('a claim reads a few of the jobs that wait for a webhook, however many there are, whatever the statistics say', async () => {
  await database.owner`
    insert into delivery_jobs (org_id, id, webhook_id, event_id, envelope_id, seq)
    select md5((n % 60)::text)::uuid, gen_random_uuid(), md5((n % 60)::text)::uuid, gen_random_uuid(), gen_random_uuid(), n
    from generate_series(1, 3000) n`
  await database.owner`analyze delivery_jobs`
  await aBacklog(20_000, 3_600)
  const fetched = await inTransaction(database.system, async (sql) => {
    const count = async () => {
      const [row] = await sql<{ rows: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'delivery_jobs'`
      return row!.rows
    }
    const before = await count()
    await readInOrder(sql)
    expect(await leaseDeliveries(sql, orgId, aClaim())).toHaveLength(MAX_WEBHOOK_IN_FLIGHT)
    return (await count()) - before
  })
  expect(fetched).toBeLessThan(200)
})
