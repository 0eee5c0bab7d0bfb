// What waits is asked for whenever metrics are read, and by operators in need: what that costs goes by what waits, not by all that was ever done.
import { listUnsent, resetMails } from '#core/mail/unsent-store.ts'
import { measureWork } from '#core/work/queue-age-store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { listUnsealed } from '#core/seal/store.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FilledDatabase, filledDatabase } from '../support/servers/filled-database.ts'

let filled: FilledDatabase

beforeAll(async () => {
  filled = await filledDatabase({ organisations: 5, envelopes: 10_000 }, async (owner) => {
    await owner`
      insert into seal_intents (org_id, envelope_id, state)
      select org_id, id, case when row_number() over () % 1000 = 0 then 'PARKED' when row_number() over () % 1000 = 1 then 'WAITING' else 'DONE' end
      from envelopes`
    await owner`
      insert into mails (org_id, id, envelope_id, signer_id, template, state)
      select org_id, gen_random_uuid(), envelope_id, id, 'COMPLETED',
        case when row_number() over () % 1000 = 0 then 'PARKED' when row_number() over () % 1000 = 1 then 'WAITING' else 'SENT' end
      from signers`
    await owner`
      insert into outbox (org_id, subject, body, published_at)
      select org_id, 'sealwright.seal.requested', '{}', case when row_number() over () % 1000 > 0 then sealwright_now() end from envelopes`
    await owner`vacuum analyze seal_intents, mails, outbox`
  })
})
afterAll(() => filled[Symbol.asyncDispose]())

test.each([
  ['counted', measureWork, ['seal_intents_due', 'seal_intents_parked', 'mails_due', 'mails_parked', 'outbox_waiting']],
  ['listed, seals', listUnsealed, ['seal_intents_due', 'seal_intents_parked']],
  ['listed, mails', (sql: Sql) => listUnsent(sql, { stuck: false }), ['mails_due', 'mails_parked']],
  ['listed, stuck mails', (sql: Sql) => listUnsent(sql, { stuck: true }), ['mails_parked']],
  ['retried', (sql: Sql) => resetMails(sql, 'all'), ['mails_due', 'mails_parked']],
])('what waits and what was set aside is %s without reading what is done', async (_, statement, indexes) => {
  const plan = await filled.planOf(statement)
  for (const index of indexes) expect(plan).toContain(index)
  expect(plan).not.toMatch(/Seq Scan on (seal_intents|mails|outbox)|_settled/)
})
