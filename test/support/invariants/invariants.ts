// What must hold for every envelope that was finished, whatever died meanwhile: everything acknowledged exists exactly once.
import { deepEqual } from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { Progress } from '../clients/crash-walk.ts'

/** For an envelope with two signers. */
const EXPECTED = {
  status: 'COMPLETED',
  links: 2,
  signatures: 2,
  sealed: 1,
  intents: 1,
  reports: 1,
  // Two signing links and two notices of the copy, each at least once.
  mails: 4,
  completed: 1,
  signed: 2,
}

/** Waits until no work is left, then checks the database. Throws when work is still waiting after `withinMs`. */
export async function assertInvariants(databaseUrl: string, walked: readonly Progress[], withinMs: number): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const ids = walked.map(({ envelopeId }) => envelopeId ?? '')
    await untilIdle(sql, ids, withinMs)
    const outcomes = await readOutcome(sql, ids)
    deepEqual(
      outcomes.map((row) => ({ ...row })),
      ids.map((id) => ({ id, ...EXPECTED })),
    )
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function untilIdle(sql: postgres.Sql, ids: readonly string[], withinMs: number): Promise<void> {
  const until = performance.now() + withinMs
  for (;;) {
    const [left] = await sql`
      select (select count(*)::int from seal_jobs where envelope_id = any(${ids}::uuid[]) and state <> 'DONE') as seals,
        (select count(*)::int from audit_reports where state = 'WAITING') as reports,
        (select count(*)::int from mails where envelope_id = any(${ids}::uuid[]) and state <> 'DONE') as mails,
        (select count(*)::int from outbox where published_at is null) as unpublished,
        (select coalesce(string_agg(distinct last_error, '; '), '')
          from (select last_error from seal_jobs union all select last_error from audit_reports) jobs) as faults`
    if (left?.['seals'] === 0 && left['reports'] === 0 && left['mails'] === 0 && left['unpublished'] === 0) return
    if (performance.now() > until) throw new Error(`Work is left: ${JSON.stringify(left)}`)
    await delay(100)
  }
}

async function readOutcome(sql: postgres.Sql, ids: readonly string[]) {
  return sql`
    select e.id, e.status,
      (select count(*)::int from signing_links l where l.envelope_id = e.id) as links,
      (select count(*)::int from signatures s where s.envelope_id = e.id) as signatures,
      (select count(*)::int from sealed_documents d where d.envelope_id = e.id and d.stored_at is not null) as sealed,
      (select count(*)::int from seal_jobs i where i.envelope_id = e.id and i.state = 'DONE') as intents,
      (select count(*)::int from audit_reports r where r.envelope_id = e.id and r.state = 'DONE') as reports,
      (select count(*)::int from mails m where m.envelope_id = e.id and m.state = 'DONE') as mails,
      (select count(*)::int from events v where v.type = 'envelope.completed' and v.envelope_id = e.id and v.released_at is not null) as completed,
      (select count(*)::int from events v where v.type = 'signer.signed' and v.envelope_id = e.id and v.released_at is not null) as signed
    from envelopes e
    where e.id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], e.id)`
}
