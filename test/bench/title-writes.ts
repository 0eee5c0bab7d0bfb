// What the search by title costs a new envelope: with neither index, with ours and its months, and with pg_trgm's.
import type { OrgId } from '#core/ids.ts'
import type { Database } from '#core/platform/postgres/client.ts'
import type { BenchTable } from './run.ts'

const ENVELOPES = 3_000
const ROUNDS = 3
const BY_TITLE = `create index envelopes_by_title on envelopes using gin (title_grams(org_id, title_folded))
  with (fastupdate = on, gin_pending_list_limit = 1024);
  alter index envelopes_by_title alter column 1 set statistics 0`

interface Cost {
  ms: number
  walBytes: number
}

/** Drops and makes indexes: the last to be measured. */
export async function writeCosts(owner: Database, orgId: OrgId): Promise<BenchTable> {
  const [trigram] = await owner<{ definition: string }[]>`select pg_get_indexdef('envelopes_by_trigram'::regclass) as definition`
  await owner.unsafe('set statement_timeout = 0; drop index envelopes_by_trigram')
  const ours = await insertMany(owner, orgId)
  await owner.unsafe('drop index envelopes_by_title; alter table envelopes disable trigger envelopes_titled')
  const neither = await insertMany(owner, orgId)
  await owner.unsafe(trigram!.definition)
  const trigrams = await insertMany(owner, orgId)
  await owner.unsafe(`${BY_TITLE}; alter table envelopes enable trigger envelopes_titled`)
  return {
    title: `A new envelope, one at a time: the fastest of ${ROUNDS} rounds of ${ENVELOPES}`,
    columns: ['with', 'ms', 'WAL, kB'],
    rows: [
      ['neither', neither.ms, neither.walBytes / 1_000],
      ['ours', ours.ms, ours.walBytes / 1_000],
      ['pg_trgm', trigrams.ms, trigrams.walBytes / 1_000],
    ],
  }
}

async function insertMany(owner: Database, orgId: OrgId): Promise<Cost> {
  const costs: Cost[] = []
  for (let round = 0; round < ROUNDS; round++) costs.push(await insertRound(owner, orgId))
  return costs.toSorted((left, right) => left.ms - right.ms)[0]!
}

/** Within the server and one transaction, so that neither round trips nor commits are measured. */
async function insertRound(owner: Database, orgId: OrgId): Promise<Cost> {
  const [before] = await owner<{ lsn: string }[]>`select pg_current_wal_insert_lsn()::text as lsn`
  const startedAt = performance.now()
  await owner.unsafe(`
    do $$
    begin
      for n in 1..${ENVELOPES} loop
        insert into envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds)
        select org_id, gen_random_uuid(), id, 'Lease Harbour Foods ' || md5(random()::text), false, false, 60
        from workspaces where org_id = '${orgId}' and is_general;
      end loop;
    end $$`)
  const ms = (performance.now() - startedAt) / ENVELOPES
  const [after] = await owner<{ bytes: number }[]>`
    select (pg_current_wal_insert_lsn() - ${before!.lsn}::pg_lsn)::float8 as bytes`
  return { ms, walBytes: after!.bytes / ENVELOPES }
}
