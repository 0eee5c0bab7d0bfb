// Deliveries are planned by the transaction that releases their event, for the webhooks that are subscribed to it then.
import { newEvents } from '#core/event/record-event.ts'
import { releaseOverdue } from '#core/event/release-overdue.ts'
import { insertEvents, releaseEventsOf } from '#core/event/store.ts'
import { COMPLETED_EVENT_HOLD_SECONDS } from '#core/limits.ts'
import { EVENT_TYPES, type EventType } from '#core/messaging/subjects.ts'
import { inOrganisation, inTransaction } from '#core/platform/postgres/client.ts'
import { type Recorder, recordSpansWith } from '#core/platform/trace/spans.ts'
import { castVote } from '#core/webhook/store.ts'
import { newSyntheticEvent } from '#core/webhook/synthetic-event.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anOrganisation, type Organisation } from '../support/builders/rows.ts'
import { anEnvelope, aWebhook, deliveryCore, record } from '../support/builders/webhooks.ts'
import { ADA, aDraft, aSentEnvelope } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'
import { testService } from '../support/servers/test-service.ts'

let database: TestDatabase
let core: ReturnType<typeof deliveryCore>
let organisation: Organisation

beforeAll(async () => {
  database = await testDatabase()
  core = deliveryCore(database)
})
beforeEach(async () => {
  organisation = await anOrganisation(database.system)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

const planned = (orgId = organisation.orgId) => database.owner`
  select d.webhook_id, d.event_type, d.status, d.reason, d.kind, d.attempts, d.event_id, j.id is not null as has_job, j.trace_parent
  from deliveries d left join delivery_jobs j on j.org_id = d.org_id and j.id = d.id
  where d.org_id = ${orgId} order by d.id`
const requests = (orgId = organisation.orgId) => database.owner`
  select body, trace_parent from outbox where org_id = ${orgId} and subject = 'sealwright.delivery.requested'`
const recordOne = (type: EventType = 'envelope.sent') => record(database.system, organisation.orgId, anEnvelope(), type)

/** The rows of a completed event that is held, about a new envelope. */
async function aHeldEvent() {
  const envelope = anEnvelope({ status: 'COMPLETED' })
  const events = newEvents({ type: 'envelope.completed', envelope, isHeld: true })
  await insertEvents(database.system, organisation.orgId, events)
  return envelope
}

describe('an event is planned', () => {
  test.each(EVENT_TYPES)('for the webhooks that are subscribed to %s, and no other', async (type) => {
    const { orgId } = organisation
    const other = await anOrganisation(database.system)
    await aWebhook(core, other.orgId)
    const subscribed = [await aWebhook(core, orgId), await aWebhook(core, orgId, [type])]
    await aWebhook(
      core,
      orgId,
      EVENT_TYPES.filter((each) => each !== type),
    )
    await recordOne(type)
    const rows = await planned()
    expect(new Set(rows.map(({ webhookId }) => webhookId))).toEqual(new Set(subscribed))
    expect(rows).toMatchObject(
      subscribed.map(() => ({ eventType: type, status: 'WAITING', kind: 'EVENT', reason: null, attempts: [], hasJob: true })),
    )
    expect(await planned(other.orgId)).toEqual([])
  })

  test('by the role that serves requests too, and the workers get one message', async () => {
    const { orgId } = organisation
    await aWebhook(core, orgId)
    await aWebhook(core, orgId)
    await inOrganisation(database.api, orgId, (sql) => record(sql, orgId, anEnvelope(), 'signer.signed', 'envelope.completed'))
    expect(await planned()).toHaveLength(4)
    const messages = await requests()
    expect(messages).toHaveLength(1)
    const [row] =
      await database.owner`select 1 as found from delivery_jobs where org_id = ${orgId} and id = ${messages[0]!['body'].id}`
    expect(row).toEqual({ found: 1 })
  })

  test('without a webhook, for none and without a message', async () => {
    await recordOne()
    expect(await planned()).toEqual([])
    expect(await requests()).toEqual([])
  })

  test('for a disabled webhook as not sent, without a job', async () => {
    const webhookId = await aWebhook(core, organisation.orgId)
    await castVote(database.system, organisation.orgId, webhookId, 'AUTOMATIC')
    await recordOne()
    expect(await planned()).toMatchObject([{ status: 'NOT_SENT', reason: 'ENDPOINT_DISABLED', hasJob: false }])
    expect(await requests()).toEqual([])
  })

  test('with the trace of its recording', async () => {
    await aWebhook(core, organisation.orgId)
    const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const recorder: Partial<Recorder> = { currentTraceParent: () => traceParent }
    recordSpansWith(recorder as Recorder)
    try {
      await recordOne()
    } finally {
      recordSpansWith(undefined)
    }
    expect(await planned()).toMatchObject([{ traceParent }])
    expect(await requests()).toMatchObject([{ traceParent }])
  })

  test('not when its transaction is rolled back', async () => {
    await aWebhook(core, organisation.orgId)
    const rolledBack = inTransaction(database.system, async (sql) => {
      await record(sql, organisation.orgId, anEnvelope(), 'envelope.sent')
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await planned()).toEqual([])
    expect(await requests()).toEqual([])
  })

  test('not when it is synthetic', async () => {
    await aWebhook(core, organisation.orgId)
    await insertEvents(
      database.system,
      organisation.orgId,
      EVENT_TYPES.map((type) => newSyntheticEvent(type, new Date())),
    )
    expect(await planned()).toEqual([])
  })
})

describe('a held event', () => {
  test('is planned at its release, for the webhooks of that time, once', async () => {
    const { orgId } = organisation
    const former = await aWebhook(core, orgId)
    const envelope = await aHeldEvent()
    expect(await planned()).toEqual([])
    await castVote(database.system, orgId, former, 'BY_ADMIN')
    const added = await aWebhook(core, orgId)
    await database.moveClock(60)
    await releaseEventsOf(database.system, orgId, envelope.id)
    await releaseEventsOf(database.system, orgId, envelope.id)
    const rows = await planned()
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual(expect.objectContaining({ webhookId: former, status: 'NOT_SENT' }))
    expect(rows).toContainEqual(expect.objectContaining({ webhookId: added, status: 'WAITING', hasJob: true }))
    const [age] = await database.owner`
      select extract(epoch from d.created_at - e.created_at)::float8 as seconds
      from deliveries d join events e on e.org_id = d.org_id and e.id = d.event_id where d.org_id = ${orgId} limit 1`
    expect(age!['seconds']).toBeGreaterThan(59)
  })

  test('is planned once when its release and the release of overdue events run side by side', async () => {
    await aWebhook(core, organisation.orgId)
    const envelopes = await Promise.all(Array.from({ length: 20 }, aHeldEvent))
    await database.moveClock(COMPLETED_EVENT_HOLD_SECONDS + 1)
    await Promise.all([
      releaseOverdue(core),
      ...envelopes.map(({ id }) => releaseEventsOf(database.system, organisation.orgId, id)),
      releaseOverdue(core),
    ])
    const rows = await planned()
    expect(rows).toHaveLength(20)
    expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(20)
  })

  test('that is released twice is not planned twice', async () => {
    await aWebhook(core, organisation.orgId)
    await recordOne()
    // As a faulty release would: the statement fires the trigger for a released event.
    await database.owner`update events set released_at = released_at where org_id = ${organisation.orgId}`
    expect(await planned()).toHaveLength(1)
    expect(await requests()).toHaveLength(1)
  })
})

test('an event that cannot be rendered is recorded as not built, and what it reports happens', async () => {
  await aWebhook(core, organisation.orgId)
  const { orgId } = organisation
  const envelope = anEnvelope({ createdAt: new Date(Number.NaN) })
  await inTransaction(database.system, async (sql) => {
    await sql`update organisations set name = 'Renamed' where id = ${orgId}`
    await record(sql, orgId, envelope, 'envelope.sent')
  })
  expect(await planned()).toMatchObject([{ status: 'NOT_BUILT', reason: 'Invalid time value', hasJob: false }])
  expect(await database.owner`select name from organisations where id = ${orgId}`).toMatchObject([{ name: 'Renamed' }])
})

test(
  'every change of an envelope is owed to its webhook, the completed one with the sealed copies',
  { timeout: 120_000 },
  async () => {
    await using service = await testService()
    const webhookId = await aWebhook(service.system, service.organisation.orgId)
    const { owner } = service.database
    const owed = async (id: string) =>
      (
        await owner`
        select d.event_type from deliveries d join events e on e.org_id = d.org_id and e.id = d.event_id
        where e.envelope_id = ${id} and d.webhook_id = ${webhookId} and d.status = 'WAITING' order by e.seq`
      ).map((row) => row['eventType'])
    const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA] })
    await signAs(service, tokens[0]!.token)
    expect(await owed(id)).toEqual(['envelope.sent', 'signer.viewed', 'signer.signed'])
    await service.sealEnvelopes()
    expect(await owed(id)).toEqual(['envelope.sent', 'signer.viewed', 'signer.signed', 'envelope.completed'])
    const cancelled = await aSentEnvelope(service.client, { signers: [ADA] })
    await service.client.post(`/api/v1/envelopes/${cancelled.id}/cancel`)
    expect(await owed(cancelled.id)).toEqual(['envelope.sent', 'envelope.cancelled'])
    const draft = await aDraft(service.client)
    expect(await owed(draft.id)).toEqual([])
  },
)
