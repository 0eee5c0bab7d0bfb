// Rows that nobody will read again go, in batches; what they told of that matters is in the audit trail. The ages stand in limits.ts.
import type { Core } from '#core/context.ts'
import { pruneCeremonies, pruneEvents, pruneMails, pruneOutbox, pruneQuotaWindows } from './history-store.ts'

const BATCH = 1_000

/** One batch of each kind; answers how many rows went. Needs a database of the system role. */
export async function pruneHistory({ database }: Pick<Core, 'database'>): Promise<number> {
  let pruned = 0
  for (const prune of [pruneMails, pruneEvents, pruneOutbox, pruneQuotaWindows, pruneCeremonies])
    pruned += await prune(database, BATCH)
  return pruned
}
