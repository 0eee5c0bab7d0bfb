// Objects that no row names: a crash between the store and the database leaves one behind, and one in the middle of storing leaves something unfinished.
// Found by walking the store, because nothing else knows them.
import type { SystemCore } from '#core/context.ts'
import { ORPHAN_AGE_SECONDS } from '#core/limits.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { discardObjects } from './discard-objects.ts'
import { readKey, type DocumentKey } from './rules.ts'
import { selectOrphans } from './store.ts'

const BATCH = 500
/** Keys of documents begin so; what else lies in a bucket is none of our business. */
const PREFIX = 'organisations/'

/** Walks the whole store and deletes objects older than a day without a row, and what was not finished in that time; answers 0, because one walk is
 *  all there is to do.
 *  NOTE: young objects are left, whoever stores them may be about to write their row. Needs a database of the system role. */
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
  for (const key of await discardObjects(core, orphans)) core.log.warn({ key }, 'orphan.deleted')
}
