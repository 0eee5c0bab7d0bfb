// Which index finds labels, in a database that was used since its last vacuum. The planner treats correlated columns as independent, so that
// it expects one row nearly everywhere; indexes that answer the same question are then a matter of chance, and one of them reads a hundred times as much.
import type { CredentialCaller } from '#core/context.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { selectPage, selectTotal } from '#core/envelope/search.ts'
import type { CredentialId, OrgId } from '#core/ids.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillDatabase } from '../bench/fill-database.ts'
import { genericPlan } from '../support/judges/generic-plan.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let api: Database
let caller: CredentialCaller

beforeAll(async () => {
  database = await testDatabase()
  const owner = openDatabase({ url: database.url, pool: 1 })
  await fillDatabase(owner, { organisations: 50, envelopes: 20_000 })
  const [largest] = await owner<{ orgId: OrgId; credentialId: CredentialId }[]>`
    select org_id, id as credential_id from credentials
    where org_id = (select org_id from envelopes group by org_id order by count(*) desc limit 1)`
  await owner.end()
  caller = { kind: 'credential', ...largest!, clientId: '', origin: { address: null, userAgent: null } }
  api = openDatabase({ url: database.url, pool: 1, role: 'sealwright_api' })
})
afterAll(async () => {
  await api.end()
  await database[Symbol.asyncDispose]()
})

const labelled = (pairs: Record<string, string>, keys: string[] = []): EnvelopeFilter => ({
  statuses: [],
  labels: { pairs: Object.entries(pairs), keys },
})
const indexesIn = (plan: string) => [...new Set(plan.match(/envelope_labels_by_\w+/g))]

test.each([
  ['a pair', labelled({ department: 'sales' }), ['envelope_labels_by_value']],
  [
    'a pair with a status',
    { ...labelled({ department: 'sales' }), statuses: ['COMPLETED' as const] },
    ['envelope_labels_by_value'],
  ],
  ['a rare pair', labelled({ cost_center: 'cc-7' }), ['envelope_labels_by_value']],
  ['a key', labelled({}, ['department']), ['envelope_labels_by_key']],
])('the list of %s', async (_name, filter, indexes) => {
  const page = await genericPlan(api, caller.orgId, (sql) =>
    selectPage(sql, caller, filter, { offset: 0, limit: 20, plan: 'scan' }),
  )
  expect(indexesIn(page)).toEqual(indexes)
  const total = await genericPlan(api, caller.orgId, (sql) =>
    selectTotal(sql, caller, filter, { most: 10_001, plan: 'scan', newest: new Date() }),
  )
  expect(indexesIn(total)).toEqual(indexes)
})

test('labels follow a change of their envelope by its keys, not by all values of the workspace', async () => {
  const owner = openDatabase({ url: database.url, pool: 1 })
  const scans = async () => {
    await owner`select pg_stat_force_next_flush()`
    const rows = await owner<{ name: string; scans: number }[]>`
      select indexrelname as name, idx_scan as scans from pg_stat_user_indexes where relname = 'envelope_labels' order by name`
    return rows.map(({ name, scans: count }) => ({ name, count }))
  }
  const ids = await owner<{ id: string }[]>`
    select id from envelopes where org_id = ${caller.orgId} and labels <> '{}' and status = 'SENT' limit 12`
  const before = await scans()
  for (const { id } of ids) {
    await owner`update envelopes set lapses_at = sealwright_now() where id = ${id}`
    await owner`update envelopes set labels = '{"department": "moved"}' where id = ${id}`
  }
  const used = (await scans()).filter(({ name, count }) => before.some((then) => then.name === name && then.count < count))
  await owner.end()
  expect(ids).toHaveLength(12)
  expect(used.map(({ name }) => name)).toEqual(['envelope_labels_by_key'])
})
