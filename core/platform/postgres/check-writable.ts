// Checks that the database accepts writes: a standby or a read-only server does not, although it answers reads.
import { StartupError } from '#core/platform/errors/startup-error.ts'
import type { Sql } from './client.ts'

/** Throws StartupError when the database is read-only. */
export async function assertWritable(sql: Sql): Promise<void> {
  const [server] = await sql<{ readOnly: boolean; standby: boolean }[]>`
    select current_setting('transaction_read_only')::boolean as read_only, pg_is_in_recovery() as standby`
  if (!server?.readOnly) return
  const reason = server.standby ? 'it is a standby' : 'default_transaction_read_only is on'
  throw new StartupError('DATABASE_READ_ONLY', `SEALWRIGHT_DATABASE_URL: the database is read-only (${reason}).`)
}
