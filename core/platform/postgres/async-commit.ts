// Commits that do not wait for the disk.
import type { Sql } from './client.ts'

/** Add it to a transaction's pipelined statements: the commit is visible to all at once and reaches the disk a moment later, before any later
 *  synchronous commit. Only for work that is simply repeated when the server crashes in between. */
export function commitAsynchronously(sql: Sql) {
  return sql`set_config('synchronous_commit', 'off', true)`
}
