// Kept answers are forgotten after their time; a retry that late is a request of its own.
import type { Core } from '#core/context.ts'
import { IDEMPOTENCY_KEY_SECONDS } from '#core/limits.ts'
import { deleteKept } from './store.ts'

const BATCH = 1_000

/** Forgets one batch and answers how many there were. Needs a database of the system role. */
export async function deleteStoredResponses(core: Pick<Core, 'database'>): Promise<number> {
  return deleteKept(core.database, IDEMPOTENCY_KEY_SECONDS, BATCH)
}
