// How an email is leased while thousands wait. The planner then expects to check the expiry of so many envelopes that it prefers to read all of
// them, although the first email is nearly always the one that is leased.
import { MAIL_WORK } from '#core/mail/mail-job.ts'
import { leaseDueJob } from '#core/work/job-store.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FilledDatabase, filledDatabase } from '../support/servers/filled-database.ts'

let filled: FilledDatabase

beforeAll(async () => {
  filled = await filledDatabase({ organisations: 5, envelopes: 10_000 }, async (owner) => {
    await owner`
      insert into mails (org_id, id, envelope_id, signer_id, template, secret_box, state)
      select org_id, gen_random_uuid(), envelope_id, id, 'SIGNING_LINK', 'box', 'WAITING' from signers order by id limit 5000`
    await owner`analyze mails`
  })
})
afterAll(() => filled[Symbol.asyncDispose]())

test('the envelope of a due email is found by its key', async () => {
  const plan = await filled.planOf((sql) => leaseDueJob(sql, MAIL_WORK, 120))
  expect(plan).toContain('Index Scan using mails_due')
  expect(plan).toContain('envelopes_pkey')
  expect(plan).not.toMatch(/hashed|Seq Scan on envelopes/)
})
