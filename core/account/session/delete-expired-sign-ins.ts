// Deletes expired sign-in rows: sessions, set-up links, old failures.
import type { Core } from '#core/context.ts'
import { LONGEST_SIGN_IN_PAUSE_SECONDS, SIGN_IN_FAILURES_KEPT_SECONDS } from '#core/limits.ts'
import { deleteExpiredSetupLinks } from '#core/account/person/setup-link-store.ts'
import { deleteQuietCounters } from './counter-store.ts'
import { deleteExpiredSessions } from './store.ts'

const BATCH = 500
const COUNTER_QUIET_SECONDS = Math.max(...Object.values(SIGN_IN_FAILURES_KEPT_SECONDS)) + LONGEST_SIGN_IN_PAUSE_SECONDS

/** Deletes one batch and returns the number of rows. Needs a database of the system role. */
export async function deleteExpiredSignIns({ database }: Pick<Core, 'database'>): Promise<number> {
  const sessions = await deleteExpiredSessions(database, BATCH)
  const links = await deleteExpiredSetupLinks(database, BATCH)
  const counters = await deleteQuietCounters(database, { quietSeconds: COUNTER_QUIET_SECONDS, limit: BATCH })
  return sessions + links + counters
}
