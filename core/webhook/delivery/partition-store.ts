// The SQL of the history's partitions: functions that run as the tables' owner.
import type { Sql } from '#core/platform/postgres/client.ts'

/** Adds the missing partitions of this week and the following ones; returns how many. */
export async function addPartitions(sql: Sql, weeks: number): Promise<number> {
  const [row] = await sql<{ added: number }[]>`select add_delivery_partitions(sealwright_now(), ${weeks}) as added`
  return row?.added ?? 0
}

/** Drops the partitions in which every row is older; returns how many. */
export async function dropPartitions(sql: Sql, keptSeconds: number): Promise<number> {
  const [row] = await sql<{ dropped: number }[]>`
    select drop_delivery_partitions(sealwright_now() - make_interval(secs => ${keptSeconds})) as dropped`
  return row?.dropped ?? 0
}
