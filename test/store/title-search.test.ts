// The choice between scan and index in a search by title, and the RLS scope of the index.
import type { CredentialCaller } from '#core/context.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { choosePlans } from '#core/envelope/title-search.ts'
import { CredentialId, newId, OrgId, WorkspaceId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const [orgId, credentialId, workspaceId] = [newId(OrgId), newId(CredentialId), newId(WorkspaceId)]
const origin = { address: null, userAgent: null }
const caller: CredentialCaller = { kind: 'credential', orgId, credentialId, clientId: 'x', origin }

let database: TestDatabase

/** 300 envelopes, one a day: the first and last ten have their own titles, a tenth of the others are leases, two of all are labelled. */
beforeAll(async () => {
  database = await testDatabase()
  const { owner } = database
  await owner`insert into organisations (id, name) values (${orgId}, 'x')`
  await owner`insert into workspaces (org_id, id, name) values (${orgId}, ${workspaceId}, 'x')`
  await owner`insert into credentials (org_id, id, client_id, name) values (${orgId}, ${credentialId}, 'x', 'x')`
  await owner`insert into credential_grants values (${orgId}, ${credentialId}, ${workspaceId}, '{envelope:read}')`
  await owner`
    insert into envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds, labels, created_at)
    select ${orgId}, gen_random_uuid(), ${workspaceId},
      case when n <= 10 then 'Early bird' when n > 290 then 'Fresh start' when n % 10 = 0 then 'Lease' else 'Contract' end,
      false, false, 60, case when n in (100, 200) then '{"team": "a"}'::jsonb else '{}' end, now() - (300 - n) * interval '1 day'
    from generate_series(1, 300) n`
})
afterAll(() => database[Symbol.asyncDispose]())

const ALL: EnvelopeFilter = { statuses: [], labels: { pairs: [], keys: [] } }
const waysOf = (filter: Partial<EnvelopeFilter>, depth: number) =>
  inOrganisation(database.api, orgId, (sql) => choosePlans(sql, caller, { ...ALL, ...filter }, depth))

test.each([
  ['no title at all', {}, 'scan', 'scan'],
  ['a part of many titles', { title: 'CONTRACT' }, 'scan', 'scan'],
  ['a part of no title', { title: 'zeppelin' }, 'index', 'index'],
  ['a part of the newest only', { title: 'fresh' }, 'scan', 'index'],
  ['a part of the oldest only', { title: 'early' }, 'index', 'index'],
  [
    'what stands nowhere, among few that are as new',
    { title: 'zeppelin', from: new Date(Date.now() - 4 * 86_400_000) },
    'scan',
    'scan',
  ],
  ['a part that many labelled ones may have', { title: 'lease', labels: { pairs: [['team', 'a']], keys: [] } }, 'scan', 'scan'],
] satisfies [string, Partial<EnvelopeFilter>, string, string][])(
  '%s is found by the cheaper plan',
  async (_, filter, page, total) => {
    expect(await waysOf(filter, 20)).toEqual({ page, total })
  },
)

test('a deep page of rare matches uses the index, however new the first ones are', async () => {
  expect(await waysOf({ title: 'fresh' }, 500)).toEqual({ page: 'index', total: 'index' })
})

test('a search covers only its own organisation, and nothing without one', async () => {
  const stranger = newId(OrgId)
  const countIn = async (org: OrgId) => {
    const rows = await inOrganisation(database.api, org, (sql) => sql`select from searchable_envelopes`)
    return rows.length
  }
  expect([await countIn(orgId), await countIn(stranger)]).toEqual([300, 0])
  expect(await database.api`select from searchable_envelopes`).toHaveLength(0)
  await expect(database.system`select from searchable_envelopes`).rejects.toThrow('permission denied')
})
