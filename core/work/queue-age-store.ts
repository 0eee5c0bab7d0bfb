// The SQL of queue gauges: each arm reads the partial index of one state.
import type { Sql } from '#core/platform/postgres/client.ts'

interface WorkMeasure {
  role: 'seal' | 'mail' | 'relay'
  waiting: number
  parked: number
  /** Since the oldest one was wanted, however often it was tried. */
  oldestSeconds: number
}

export async function measureWork(sql: Sql): Promise<WorkMeasure[]> {
  return sql<WorkMeasure[]>`
    with work (role, waiting, parked, oldest) as (
      select 'seal', count(*), 0, min(created_at) from seal_intents where state = 'WAITING'
      union all
      select 'seal', 0, count(*), null from seal_intents where state = 'PARKED'
      union all
      select 'mail', count(*), 0, min(coalesce(wanted_at, created_at)) from mails where state = 'WAITING'
      union all
      select 'mail', 0, count(*), null from mails where state = 'PARKED'
      union all
      select 'relay', count(*), 0, min(created_at) from outbox where published_at is null)
    select role, sum(waiting)::int as waiting, sum(parked)::int as parked,
      -- What is wanted at a later hour has no age yet.
      coalesce(greatest(0, extract(epoch from sealwright_now() - min(oldest))), 0)::float8 as oldest_seconds
    from work
    group by role`
}
