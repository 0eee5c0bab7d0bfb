// The history's partitions: added ahead, filled from the default partition where they come late, and dropped with what is no longer kept.
import type { OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { keepDeliveryPartitions } from '#core/webhook/delivery/keep-partitions.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { anOrganisation } from '../support/builders/rows.ts'
import { anEnvelope, aWebhook, deliveryCore, record } from '../support/builders/webhooks.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const WEEK_SECONDS = 7 * 86_400
const HISTORY_SECONDS = 90 * 86_400

let database: TestDatabase
let core: ReturnType<typeof deliveryCore>
let orgId: OrgId

beforeAll(async () => {
  database = await testDatabase()
  core = deliveryCore(database)
  orgId = (await anOrganisation(database.system)).orgId
  await aWebhook(core, orgId)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

const keep = () => keepDeliveryPartitions(core)
const recordOne = () => record(database.system, orgId, anEnvelope(), 'envelope.sent')
/** Deliveries of each partition that has some, oldest partition first. */
const filled = () => database.owner`
  select tableoid::regclass::text as partition, count(*)::int as rows from deliveries group by 1 order by min(created_at)`

test('are added for four weeks from the first run on, then one each week', async () => {
  expect([await keep(), await keep()]).toEqual([4, 0])
  await database.moveClock(WEEK_SECONDS)
  expect([await keep(), await keep()]).toEqual([1, 0])
})

test('take a delivery of their week, also of one that came before them', async () => {
  // The weeks that the controller was away for.
  await database.moveClock(10 * WEEK_SECONDS)
  await recordOne()
  await database.moveClock(11 * WEEK_SECONDS)
  await recordOne()
  expect(await filled()).toMatchObject([{ partition: 'deliveries_default', rows: 2 }])
  expect(await keep()).toBe(4)
  const [left, moved, ...others] = await filled()
  // That of a week without a partition stays where it is, and is read like the others.
  expect([left, others]).toMatchObject([{ partition: 'deliveries_default', rows: 1 }, []])
  expect(moved).toMatchObject({ partition: expect.stringMatching(/^deliveries_\d{8}$/), rows: 1 })
  await recordOne()
  expect((await filled()).at(-1)).toMatchObject({ partition: moved!['partition'], rows: 2 })
})

// requirements: service-api/limits/delivery history retention
test('are dropped, and rows of the default partition deleted, once nothing in them is kept any more', async () => {
  await database.owner`delete from deliveries`
  await database.moveClock(20 * WEEK_SECONDS)
  await recordOne() // into the default partition
  await database.moveClock(21 * WEEK_SECONDS)
  await keep()
  await recordOne()
  await database.moveClock(21 * WEEK_SECONDS + HISTORY_SECONDS - 7_200)
  await keep()
  expect(await filled()).toMatchObject([{ partition: expect.stringMatching(/^deliveries_\d{8}$/), rows: 1 }])
  // Its week ends within seven days.
  await database.moveClock(22 * WEEK_SECONDS + HISTORY_SECONDS)
  const [before] =
    await database.owner`select count(*)::int as partitions from pg_inherits where inhparent = 'deliveries'::regclass`
  expect(await keep()).toBeGreaterThan(1)
  expect(await filled()).toEqual([])
  const [after] =
    await database.owner`select count(*)::int as partitions from pg_inherits where inhparent = 'deliveries'::regclass`
  expect(after!['partitions']).toBeLessThanOrEqual(before!['partitions'])
})

test('show an organisation only its own deliveries', async () => {
  const other = await anOrganisation(database.system)
  await keep()
  await recordOne()
  const read = (id: OrgId) => inOrganisation(database.api, id, (sql) => sql`select 1 from deliveries`)
  expect((await read(orgId)).length).toBeGreaterThan(0)
  expect(await read(other.orgId)).toEqual([])
})

test('ids are in the order of their times, and are valid version 7 UUIDs', async () => {
  const rows = await database.owner<{ id: string; at: number }[]>`
    select time_ordered_id(at, decode(md5(random()::text), 'hex')) as id, extract(epoch from at)::float8 as at
    from (select now() + n * interval '1 ms' as at from generate_series(-500, 500) n) times order by random()`
  const byId = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  expect(byId.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted((one, other) => one - other))
  expect(rows.filter(({ id }) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual([])
  const [first] = await database.owner`
    select first_id_of(at) <= time_ordered_id(at, '\\x00000000000000000000000000000000') as is_lowest,
      first_id_of(at) > time_ordered_id(at - interval '1 ms', '\\xffffffffffffffffffffffffffffffff') as is_above
    from (select now() as at) time`
  expect(first).toEqual({ isLowest: true, isAbove: true })
})
