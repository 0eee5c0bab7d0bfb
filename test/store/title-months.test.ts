// The trigrams recorded for each month: a scan misses no title, also while many sessions add titles, and skips the months without a match.
import { randomUUID } from 'node:crypto'
import type { CredentialCaller } from '#core/context.ts'
import { selectPage, selectTotal } from '#core/envelope/search.ts'
import { CredentialId, newId, OrgId, WorkspaceId } from '#core/ids.ts'
import { type Database, inOrganisation, openDatabase, type Sql } from '#core/platform/postgres/client.ts'
import { fc, runs } from '../support/builders/properties.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { genericPlan } from '../support/judges/generic-plan.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let owner: Database

beforeAll(async () => {
  database = await testDatabase()
  ;({ owner } = database)
})
afterAll(() => database[Symbol.asyncDispose]())

interface Place {
  orgId: OrgId
  workspaceId: WorkspaceId
}

async function newPlace(): Promise<Place> {
  const [orgId, workspaceId] = [newId(OrgId), newId(WorkspaceId)]
  await owner`insert into organisations (id, name) values (${orgId}, 'x')`
  await owner`insert into workspaces (org_id, id, name) values (${orgId}, ${workspaceId}, 'x')`
  return { orgId, workspaceId }
}

const add = (sql: Sql, { orgId, workspaceId }: Place, title: string, daysAgo = 0) => sql<{ id: string }[]>`
  insert into envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds, created_at)
  values (${orgId}, ${randomUUID()}, ${workspaceId}, ${title}, false, false, 60, now() - make_interval(days => ${daysAgo}))
  returning id`

/** Titles that a search for all of them would not pass over. */
async function missedTitles({ orgId }: Place): Promise<string[]> {
  const rows = await owner<{ title: string }[]>`
    select e.title
    from envelopes e
    where e.org_id = ${orgId} and not exists (
      select from title_spans(e.org_id, e.title_folded) s where e.created_at >= s.starts_at and e.created_at < s.ends_at)`
  return rows.map(({ title }) => title)
}

const versions = ({ orgId }: Place) => owner`
  select month::text, id, xmin::text, ctid::text from title_months where org_id = ${orgId} order by month, id`

const aTitle = fc.string({ unit: fc.constantFrom('a', 'B', 'ä', '日', '😀', ' ', '%', "'", '1'), minLength: 1, maxLength: 8 })
const aSession = fc.record({
  titles: fc.array(fc.tuple(aTitle, fc.constantFrom(0, 0, 40, 400)), { minLength: 1, maxLength: 6 }),
  commits: fc.boolean(),
})

test('no title is missed, whatever sessions add side by side and take back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aSession, { minLength: 2, maxLength: 5 }), async (sessions) => {
      const place = await newPlace()
      const run = async ({ titles, commits }: (typeof sessions)[number]) => {
        const sql = await owner.reserve()
        try {
          await sql.unsafe("begin; set local lock_timeout = '2s'")
          for (const [title, daysAgo] of titles) await add(sql, place, title, daysAgo)
          await sql.unsafe(commits ? 'commit' : 'rollback')
        } finally {
          sql.release()
        }
      }
      await Promise.all(sessions.map(run))
      expect(await missedTitles(place)).toEqual([])
    }),
    { numRuns: runs(15) },
  )
})

test('sessions with new letters wait for no other session', async () => {
  const place = await newPlace()
  await add(owner, place, 'first')
  const [left, right] = [await owner.reserve(), await owner.reserve()]
  try {
    for (const sql of [left, right]) await sql.unsafe("begin; set local lock_timeout = '2s'")
    for (const title of ['lease', 'offer']) for (const sql of [left, right]) await add(sql, place, title)
    await left`rollback`
    await right`commit`
  } finally {
    left.release()
    right.release()
  }
  expect(await missedTitles(place)).toEqual([])
})

test('a month has one row, which a title without new letters leaves as it is', async () => {
  const place = await newPlace()
  for (const title of ['Lease', 'Offer letter', 'x']) await add(owner, place, title)
  const before = await versions(place)
  expect(before).toHaveLength(1)
  for (const title of ['LEASE', 'letter', 'y']) await add(owner, place, title)
  expect(await versions(place)).toEqual(before)
})

test('a title that is changed, and one that was made in another month, is not missed', async () => {
  const place = await newPlace()
  const [envelope] = await add(owner, place, 'Lease')
  await owner`update envelopes set title = 'Quittance' where id = ${envelope!.id}`
  expect(await missedTitles(place)).toEqual([])
  await owner`update envelopes set created_at = now() - interval '90 days' where id = ${envelope!.id}`
  expect(await missedTitles(place)).toEqual([])
})

test('only changes of envelopes can record letters, and no organisation sees those of others', async () => {
  const place = await newPlace()
  await add(owner, place, 'Lease')
  for (const role of [database.api, database.system]) {
    await expect(role`delete from title_months`).rejects.toThrow('permission denied')
    await expect(role`select record_title_bits(${place.orgId}, now()::date, '{1}')`).rejects.toThrow('permission denied')
  }
  const spansSeenBy = (org: OrgId) =>
    inOrganisation(database.api, org, async (sql) => (await sql`select from title_spans(${place.orgId}, 'lease')`).length)
  expect([await spansSeenBy(place.orgId), await spansSeenBy(newId(OrgId))]).toEqual([1, 0])
})

test('a scan leaves out the months in which nothing is to be found', async () => {
  const place = await newPlace()
  const credentialId = newId(CredentialId)
  await owner`insert into credentials (org_id, id, client_id, name) values (${place.orgId}, ${credentialId}, ${credentialId}, 'x')`
  await owner`insert into credential_grants values (${place.orgId}, ${credentialId}, ${place.workspaceId}, '{envelope:read}')`
  for (const [title, daysAgo] of [
    ['Contract', 0],
    ['Lease', 200],
    ['Contract', 400],
    ['Lease', 500],
  ] as const)
    await owner`
      insert into envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds, created_at)
      select ${place.orgId}, gen_random_uuid(), ${place.workspaceId}, ${title}, false, false, 60, now() - make_interval(days => ${daysAgo}, secs => n)
      from generate_series(1, 200) n`
  const caller: CredentialCaller = {
    kind: 'credential',
    orgId: place.orgId,
    credentialId,
    clientId: '',
    origin: { address: null, userAgent: null },
  }
  const filter = { statuses: [], labels: { pairs: [], keys: [] }, title: 'LEASE' }
  const api = openDatabase({ url: database.url, pool: 1, role: 'sealwright_api' })
  try {
    for (const statement of [
      (sql: Sql) => selectPage(sql, caller, filter, { offset: 190, limit: 20, plan: 'scan' }),
      (sql: Sql) => selectTotal(sql, caller, filter, { most: 10_001, plan: 'scan' }),
    ]) {
      const plan = await genericPlan(api, place.orgId, statement)
      expect(plan).toMatch(/title_spans/)
      expect(plan).not.toMatch(/Rows Removed by Filter: \d{3}/)
    }
  } finally {
    await api.end()
  }
})
