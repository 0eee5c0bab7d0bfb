// Every decision uses the database's time: all replicas share it, and a process's wrong clock changes nothing.
import type { Sql } from './client.ts'

/** The start of the current transaction, by the database clock. */
export async function databaseNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select sealwright_now() as now`
  if (!row) throw new Error('The database did not tell the time.')
  return row.now
}
