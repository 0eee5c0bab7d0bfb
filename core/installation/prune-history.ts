// Deletes old rows in batches; the audit trail keeps what matters of them. The ages are in limits.ts.
import type { Core } from '#core/context.ts'
import { pruneCeremonies, pruneEvents, pruneMails, pruneOutbox, pruneQuotaWindows } from './history-store.ts'

const BATCH = 1_000

/** Deletes one batch per kind and returns the number of rows. Needs a database of the system role. */
export async function pruneHistory({ database }: Pick<Core, 'database'>): Promise<number> {
  let pruned = 0
  for (const prune of [pruneMails, pruneEvents, pruneOutbox, pruneQuotaWindows, pruneCeremonies])
    pruned += await prune(database, BATCH)
  return pruned
}
