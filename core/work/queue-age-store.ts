// The SQL of the queue gauges: each part reads the partial index of one state.
import type { Sql } from '#core/platform/postgres/client.ts'
import { ASSUMED_SECONDS } from './cost-store.ts'
import type { WorkKind } from './job.ts'

interface QueueMeasure {
  kind: string
  waiting: number
  deadLettered: number
  /** Since the oldest job was wanted, including its attempts; 0 for jobs that are wanted later. */
  oldestSeconds: number
}

interface WorkMeasure extends QueueMeasure {
  role: WorkKind['role']
  /** How long one worker process needs for the jobs that are due or run. */
  secondsOfWork: number
}

export async function measureQueue(sql: Sql, { name, role, table }: WorkKind): Promise<WorkMeasure> {
  const [row] = await sql<Omit<WorkMeasure, 'kind' | 'role'>[]>`
    select w.waiting, d.dead_lettered, coalesce(greatest(0, extract(epoch from sealwright_now() - w.oldest)), 0)::float8 as oldest_seconds,
      w.due * coalesce((select seconds from work_costs where kind = ${name}), ${ASSUMED_SECONDS}) as seconds_of_work
    from (
      select count(*)::int as waiting, count(*) filter (where due_at <= sealwright_now()) as due, min(wanted_at) as oldest
      from ${sql(table)} where state = 'WAITING'
    ) w
    cross join (select count(*)::int as dead_lettered from ${sql(table)} where state = 'DEAD') d`
  if (!row) throw new Error('The database did not measure the queue.')
  return { kind: name, role, ...row }
}

/** Messages that the relay has not published yet. */
export async function measureOutbox(sql: Sql): Promise<QueueMeasure> {
  const [row] = await sql<Omit<QueueMeasure, 'kind'>[]>`
    select count(*)::int as waiting, 0 as dead_lettered,
      coalesce(greatest(0, extract(epoch from sealwright_now() - min(created_at))), 0)::float8 as oldest_seconds
    from outbox
    where published_at is null`
  if (!row) throw new Error('The database did not measure the outbox.')
  return { kind: 'relay', ...row }
}
