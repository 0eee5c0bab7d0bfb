// Waiting jobs are measured whenever metrics are read, and listed by operators: the cost depends on the waiting jobs, not on all finished ones.
import { REPORT_WORK } from '#core/envelope/report-job.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { MAIL_WORK } from '#core/mail/mail-job.ts'
import { leaseDueJob, listUnfinishedJobs, resetJobs } from '#core/work/job-store.ts'
import { measureOutbox, measureQueue } from '#core/work/queue-age-store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FilledDatabase, filledDatabase } from '../support/servers/filled-database.ts'

let filled: FilledDatabase

beforeAll(async () => {
  filled = await filledDatabase({ organisations: 5, envelopes: 10_000 }, async (owner) => {
    await owner`
      insert into seal_jobs (org_id, envelope_id, state)
      select org_id, id, case when row_number() over () % 1000 = 0 then 'DEAD' when row_number() over () % 1000 = 1 then 'WAITING' else 'DONE' end
      from envelopes`
    await owner`
      insert into audit_reports (org_id, envelope_id, state)
      select org_id, id, case when row_number() over () % 1000 = 0 then 'WAITING' else 'DROPPED' end from envelopes`
    await owner`
      insert into mails (org_id, id, envelope_id, signer_id, template, state)
      select org_id, gen_random_uuid(), envelope_id, id, 'COMPLETED',
        case when row_number() over () % 1000 = 0 then 'DEAD' when row_number() over () % 1000 = 1 then 'WAITING' else 'DONE' end
      from signers`
    await owner`
      insert into outbox (org_id, subject, body, published_at)
      select org_id, 'sealwright.seal.requested', '{}', case when row_number() over () % 1000 > 0 then sealwright_now() end from envelopes`
    await owner`vacuum analyze seal_jobs, audit_reports, mails, outbox`
  })
})
afterAll(() => filled[Symbol.asyncDispose]())

test.each([
  ['counted, seals', (sql: Sql) => measureQueue(sql, SEAL_WORK), ['seal_jobs_due', 'seal_jobs_dead']],
  ['counted, mails', (sql: Sql) => measureQueue(sql, MAIL_WORK), ['mails_due', 'mails_dead']],
  ['counted, messages', measureOutbox, ['outbox_waiting']],
  ['listed, seals', (sql: Sql) => listUnfinishedJobs(sql, SEAL_WORK, { stuck: false }), ['seal_jobs_due', 'seal_jobs_dead']],
  ['listed, mails', (sql: Sql) => listUnfinishedJobs(sql, MAIL_WORK, { stuck: false }), ['mails_due', 'mails_dead']],
  ['listed, stuck mails', (sql: Sql) => listUnfinishedJobs(sql, MAIL_WORK, { stuck: true }), ['mails_dead']],
  ['leased, reports', (sql: Sql) => leaseDueJob(sql, REPORT_WORK, 60), ['audit_reports_due', 'seal_jobs_due']],
  ['retried', (sql: Sql) => resetJobs(sql, MAIL_WORK, 'all'), ['mails_due', 'mails_dead']],
])('waiting and dead-lettered jobs are %s without reading finished ones', async (_, statement, indexes) => {
  const plan = await filled.planOf(statement)
  for (const index of indexes) expect(plan).toContain(index)
  expect(plan).not.toMatch(/Seq Scan on (seal_jobs|audit_reports|mails|outbox)|_settled/)
})
