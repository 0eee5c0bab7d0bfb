// Commits that need not wait for the disk.
import type { Sql } from './client.ts'

/** Stands in a statement's list of answers: its transaction is true for all at once, and on disk a moment later, as every commit before another one
 *  that waits. Only for what is simply done again when the server dies in between. */
export function commitAsynchronously(sql: Sql) {
  return sql`set_config('synchronous_commit', 'off', true)`
}
