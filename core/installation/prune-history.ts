// Deletes old rows in batches; the audit trail keeps what matters of them. The ages are in limits.ts.
import type { Core } from '#core/context.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import { EVENT_HISTORY_MARGIN_SECONDS } from '#core/limits.ts'
import { pruneCeremonies, pruneEvents, pruneMails, pruneMirrorChanges, pruneOutbox, pruneQuotaWindows } from './history-store.ts'

const BATCH = 1_000

/** Deletes one batch per kind and returns the number of rows. Needs a database of the system role. */
export async function pruneHistory({
  database,
  settings,
}: Pick<Core, 'database'> & { settings: Pick<Settings, 'webhookHistorySeconds'> }): Promise<number> {
  let pruned = await pruneEvents(database, BATCH, settings.webhookHistorySeconds + EVENT_HISTORY_MARGIN_SECONDS)
  const prunes = [pruneMails, pruneOutbox, pruneMirrorChanges, pruneQuotaWindows, pruneCeremonies]
  for (const prune of prunes) pruned += await prune(database, BATCH)
  return pruned
}
