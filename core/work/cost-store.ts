// The SQL of what a job costs: one row for each kind of work, for all processes.
import type { Sql } from '#core/platform/postgres/client.ts'

/** Cost of a job until one was measured. The first jobs of a process are slow, so a measure never counts alone. */
export const ASSUMED_SECONDS = 0.05

/** Moves the kind's cost towards this one by `weight`, from 0 to 1. */
export async function mergeCost(sql: Sql, kind: string, { seconds, weight }: { seconds: number; weight: number }): Promise<void> {
  await sql`
    insert into work_costs (kind, seconds, measured_at) values (${kind}, ${ASSUMED_SECONDS + weight * (seconds - ASSUMED_SECONDS)}, sealwright_now())
    on conflict (kind) do update
    set seconds = work_costs.seconds + ${weight}::float8 * (${seconds}::float8 - work_costs.seconds), measured_at = excluded.measured_at`
}
