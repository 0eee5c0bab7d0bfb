// The gauges of the queues are asked for by every worker every few seconds: what that costs goes by what waits, not by all that was ever done.
import type { OrgId } from '#core/ids.ts'
import { measureWork } from '#core/metrics/store.ts'
import { openDatabase } from '#core/postgres/client.ts'
import { expect, test } from 'vitest'
import { fillDatabase } from '../bench/fill-database.ts'
import { genericPlan } from '../support/generic-plan.ts'
import { testDatabase } from '../support/test-database.ts'

test('what waits and what was set aside is counted without reading what is done', async () => {
  await using database = await testDatabase()
  const owner = openDatabase({ url: database.url, pool: 1 })
  await fillDatabase(owner, { organisations: 5, envelopes: 10_000 })
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
  const [organisation] = await owner<{ id: OrgId }[]>`select id from organisations limit 1`
  await owner.end()
  const system = openDatabase({ url: database.url, pool: 1, role: 'sealwright_system' })
  const plan = await genericPlan(system, organisation!.id, measureWork)
  await system.end()
  for (const index of ['seal_intents_due', 'seal_intents_parked', 'mails_due', 'mails_parked', 'outbox_waiting'])
    expect(plan).toContain(index)
  expect(plan).not.toMatch(/Seq Scan|_settled/)
})
