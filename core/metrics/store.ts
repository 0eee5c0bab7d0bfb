// The SQL of queue gauges: three small scans of partial indexes.
import type { Sql } from '#core/postgres/client.ts'

interface WorkMeasure {
  role: 'seal' | 'mail' | 'relay'
  waiting: number
  parked: number
  /** Since the oldest one was due. */
  oldestSeconds: number
}

export async function measureWork(sql: Sql): Promise<WorkMeasure[]> {
  return sql<WorkMeasure[]>`
    with work as (
      select 'seal' as role, state, due_at from seal_intents where state in ('WAITING', 'PARKED')
      union all
      select 'mail', state, due_at from mails where state in ('WAITING', 'PARKED')
      union all
      select 'relay', 'WAITING', created_at from outbox where published_at is null)
    select roles.role,
      count(work.state) filter (where work.state = 'WAITING')::int as waiting,
      count(work.state) filter (where work.state = 'PARKED')::int as parked,
      coalesce(greatest(0, extract(epoch from sealwright_now() - min(work.due_at) filter (where work.state = 'WAITING'))), 0)::float8 as oldest_seconds
    from (values ('seal'), ('mail'), ('relay')) roles (role)
    left join work on work.role = roles.role
    group by roles.role`
}
