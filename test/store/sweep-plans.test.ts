// The sweeps of an installation with a long history find due rows by their indexes.
import { measureDrafts } from '#core/envelope/draft-store.ts'
import { pruneEvents } from '#core/installation/history-store.ts'
import { listToErase, lockEnded } from '#core/envelope/retention/store.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FilledDatabase, filledDatabase } from '../support/servers/filled-database.ts'

const DAY_SECONDS = 86_400

let filled: FilledDatabase

beforeAll(async () => {
  filled = await filledDatabase({ organisations: 20, envelopes: 20_000 }, async (owner) => {
    await owner`
      insert into seal_jobs (org_id, envelope_id, state, done_at, attempts)
      select org_id, id, 'DONE', now(), 1 from envelopes where status = 'COMPLETED'`
    await owner`
      insert into events (org_id, id, envelope_id, type, body, created_at, released_at)
      select org_id, gen_random_uuid(), id, 'envelope.sent', '{}', now() - interval '100 days', now() from envelopes`
    await owner`update envelopes set archived_at = now() where ended_at is not null and id::text < '2'`
    await owner`vacuum analyze`
  })
})
afterAll(() => filled[Symbol.asyncDispose]())

test('envelopes to erase: without reading all seal jobs', async () => {
  const plan = await filled.planOf((sql) => listToErase(sql, 20, []))
  expect(plan).toContain('seal_jobs_pkey')
  expect(plan).not.toContain('Seq Scan on seal_jobs')
})

test('envelopes whose retention has ended: only the taken ones are locked', async () => {
  const plan = await filled.planOf((sql) => lockEnded(sql, 300 * DAY_SECONDS, 200, []))
  expect(plan.match(/LockRows/g)).toHaveLength(1)
  expect(plan).toMatch(/LockRows .*rows=200\.00 loops=1/)
})

test('events whose history has ended: only the taken ones are read and locked, and found again without their keys', async () => {
  const plan = await filled.planOf((sql) => pruneEvents(sql, 1_000, 90 * DAY_SECONDS))
  expect(plan).toMatch(/LockRows .*rows=1000\.00 loops=1/)
  expect(plan).toMatch(/Index Scan using events_by_age .*rows=1000\.00 loops=1/)
  expect(plan).toContain('Tid Scan on events')
  expect(plan).not.toMatch(/Seq Scan on events|events_pkey/)
})

test('drafts with an outdated end: without reading all drafts', async () => {
  const plan = await filled.planOf((sql) => measureDrafts(sql, 30 * DAY_SECONDS, 1_000))
  expect(plan).toMatch(/Index Cond: .*drops_at - touched_at/)
  expect(plan).not.toContain('Rows Removed by Filter')
})
