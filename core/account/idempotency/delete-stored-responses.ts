// Deletes expired responses; a later retry is a new request.
import type { Core } from '#core/context.ts'
import { IDEMPOTENCY_KEY_SECONDS } from '#core/limits.ts'
import { deleteResponses } from './store.ts'

const BATCH = 1_000

/** Deletes one batch and returns the number of rows. Needs a database of the system role. */
export async function deleteStoredResponses(core: Pick<Core, 'database'>): Promise<number> {
  return deleteResponses(core.database, IDEMPOTENCY_KEY_SECONDS, BATCH)
}
