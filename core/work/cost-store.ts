// The SQL of what a job costs: one row for each kind of work, for all processes.
import type { Sql } from '#core/platform/postgres/client.ts'

/** Moves the kind's cost towards this one by `weight`, from 0 to 1; the first one counts as it is. */
export async function mergeCost(sql: Sql, kind: string, { seconds, weight }: { seconds: number; weight: number }): Promise<void> {
  await sql`
    insert into work_costs (kind, seconds, measured_at) values (${kind}, ${seconds}, sealwright_now())
    on conflict (kind) do update
    set seconds = work_costs.seconds + ${weight}::float8 * (excluded.seconds - work_costs.seconds), measured_at = excluded.measured_at`
}
