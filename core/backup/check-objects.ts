// Whether a row names every document in the object store. One that is newer than the database shows that the database was restored to an earlier time.
import type { SystemCore } from '#core/context.ts'
import { readKey, type DocumentKey } from '#core/envelope/document/rules.ts'
import { selectOrphans } from '#core/envelope/document/store.ts'
import type { StoredObject } from '#core/platform/storage/object-store.ts'
import type { Found } from './problem.ts'

const BATCH = 500
const DOCUMENTS = 'organisations/'
const EVERY_TIME = new Date(8.64e15)

export interface ObjectCounts {
  objects: number
  /** Without a row, but from before the last watermark of the database: a deletion failed, and the clean-up repeats it. */
  leftOver: number
}

/** Lists the whole store. Objects without a row that were stored after `since` are problems. */
export async function checkObjects(
  core: Pick<SystemCore, 'database' | 'storage'>,
  since: Date,
  found: Found,
): Promise<ObjectCounts> {
  const counts = { objects: 0, leftOver: 0 }
  const checkBatch = async (batch: ReadonlyMap<string, StoredObject>): Promise<void> => {
    for (const object of await listUnnamed(core, batch)) {
      if (object.storedAt < since) counts.leftOver++
      else found(describeUnnamed(object))
    }
  }
  let batch = new Map<string, StoredObject>()
  for await (const object of core.storage.list(DOCUMENTS, EVERY_TIME)) {
    counts.objects++
    batch.set(object.key, object)
    if (batch.size < BATCH) continue
    await checkBatch(batch)
    batch = new Map()
  }
  await checkBatch(batch)
  return counts
}

async function listUnnamed(
  { database, storage }: Pick<SystemCore, 'database' | 'storage'>,
  batch: ReadonlyMap<string, StoredObject>,
): Promise<StoredObject[]> {
  const keys = [...batch.keys()].map(readKey).filter((key): key is DocumentKey => key !== undefined)
  const unnamed = keys.length === 0 ? [] : await selectOrphans(database, keys)
  // A running service deletes the row first and then the object.
  const remaining = await Promise.all(unnamed.map((key) => storage.stat(key)))
  return remaining.filter((object) => object !== undefined)
}

function describeUnnamed({ key, storedAt }: StoredObject) {
  const message = `stored at ${storedAt.toISOString()}, and the database has no row for it`
  return { kind: 'OBJECT_WITHOUT_ROW', subject: key, message } as const
}
