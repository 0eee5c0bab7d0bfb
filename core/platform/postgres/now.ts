// The time of every decision is the database's: all replicas share it, and a wrong clock of a process changes nothing.
import type { Sql } from './client.ts'

/** The start of the current transaction, by the database. */
export async function databaseNow(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select sealwright_now() as now`
  if (!row) throw new Error('The database did not tell the time.')
  return row.now
}
