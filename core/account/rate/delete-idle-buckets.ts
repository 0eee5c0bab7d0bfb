// Deletes buckets that are full again: they equal a missing one.
import type { Core } from '#core/context.ts'
import { deleteIdleBuckets as deleteBatch } from './store.ts'

const BATCH = 10_000

/** Deletes one batch and returns the number of rows. Needs a database of the system role. */
export async function deleteIdleBuckets(core: Pick<Core, 'database'>): Promise<number> {
  return deleteBatch(core.database, BATCH)
}
