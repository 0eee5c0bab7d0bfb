// How a mail is taken while thousands wait. The planner then expects to ask of so many envelopes whether their time is up that it prefers to read all of
// them at once, though the first mail is nearly always the one that is taken.
import { leaseDueMail } from '#core/mail/store.ts'
import type { OrgId } from '#core/ids.ts'
import { type Database, openDatabase } from '#core/postgres/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillDatabase } from '../bench/fill-database.ts'
import { genericPlan } from '../support/generic-plan.ts'
import { testDatabase, type TestDatabase } from '../support/test-database.ts'

let database: TestDatabase
let system: Database
let orgId: OrgId

beforeAll(async () => {
  database = await testDatabase()
  const owner = openDatabase({ url: database.url, pool: 1 })
  await fillDatabase(owner, { organisations: 5, envelopes: 10_000 })
  await owner`
    insert into mails (org_id, id, envelope_id, signer_id, template, secret_box, state)
    select org_id, gen_random_uuid(), envelope_id, id, 'SIGNING_LINK', 'box', 'WAITING' from signers order by id limit 5000`
  await owner`analyze mails`
  const [organisation] = await owner<{ orgId: OrgId }[]>`select org_id from mails group by org_id order by count(*) desc limit 1`
  await owner.end()
  orgId = organisation!.orgId
  system = openDatabase({ url: database.url, pool: 1, role: 'sealwright_system' })
})
afterAll(async () => {
  await system.end()
  await database[Symbol.asyncDispose]()
})

test('the envelope of a mail that is due is found by its key', async () => {
  const plan = await genericPlan(system, orgId, (sql) => leaseDueMail(sql, 120))
  expect(plan).toContain('Index Scan using mails_due')
  expect(plan).toContain('envelopes_pkey')
  expect(plan).not.toMatch(/hashed|Seq Scan on envelopes/)
})
