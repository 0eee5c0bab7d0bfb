// Deletes objects that no row names: a crash between store and database leaves one, and a crash during an upload leaves an unfinished one. Only
// listing the store finds them.
import type { SystemCore } from '#core/context.ts'
import { compareWatermarks } from '#core/installation/compare-watermarks.ts'
import { ORPHAN_AGE_SECONDS } from '#core/limits.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { discardObjects } from './discard-objects.ts'
import { readKey, type DocumentKey } from './rules.ts'
import { selectOrphans } from './store.ts'

const BATCH = 500
/** The prefix of documents' keys; other objects in the bucket are not ours. */
const PREFIX = 'organisations/'

/** Lists the whole store and deletes objects older than a day without a row, and uploads unfinished for that long. Returns 0, because one run does
 *  everything. Deletes nothing after a restore, when the object may be all that is left of a document, until an operator accepts it. NOTE: young objects
 *  are kept, because their row may not be written yet. Needs a database of the system role. */
export async function deleteOrphans(core: Pick<SystemCore, 'database' | 'storage' | 'log'>): Promise<number> {
  const olderThan = new Date((await databaseNow(core.database)).getTime() - ORPHAN_AGE_SECONDS * 1000)
  let batch: DocumentKey[] = []
  for await (const { key } of core.storage.list(PREFIX, olderThan)) {
    const named = readKey(key)
    if (named) batch.push(named)
    if (batch.length < BATCH) continue
    await deleteUnnamed(core, batch)
    batch = []
  }
  await deleteUnnamed(core, batch)
  const count = await core.storage.dropUnfinished(PREFIX, olderThan)
  if (count > 0) core.log.warn({ count }, 'uploads.stale_aborted')
  return 0
}

async function deleteUnnamed(
  core: Pick<SystemCore, 'database' | 'storage' | 'log'>,
  keys: readonly DocumentKey[],
): Promise<void> {
  if (keys.length === 0) return
  const orphans = await selectOrphans(core.database, keys)
  // Compared as late as this, because the database may be restored while the store is listed.
  if (orphans.length === 0 || (await compareWatermarks(core)).behind) return
  for (const key of await discardObjects(core, orphans)) core.log.warn({ key }, 'orphan.deleted')
}
