// Buckets that are full again say nothing that a missing one does not say: they are forgotten, so that passers-by leave no rows behind.
import type { Core } from '#core/context.ts'
import { deleteIdleBuckets as deleteBatch } from './store.ts'

const BATCH = 10_000

/** Forgets one batch and answers how many there were. Needs a database of the system role. */
export async function deleteIdleBuckets(core: Pick<Core, 'database'>): Promise<number> {
  return deleteBatch(core.database, BATCH)
}
