// Checks that the object store is the one that holds this installation's documents. A process with a wrong store would miss every document that
// others stored, and fail all their jobs.
import { createHash } from 'node:crypto'
import type { Core } from '#core/context.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { hasStoreClaim, insertStoreClaim } from './store.ts'

/** Stored beside the documents, whose keys have another prefix. */
const MARK = 'installation/mark'

/** `ours`: the mark is ours or was just written; `another's`: the store has the mark of another installation; `elsewhere`: our mark is in another store. */
export type StoreClaim = 'ours' | "another's" | 'elsewhere'

/** Writes our mark when neither store nor database has one. Throws StorageError. */
export async function claimStore({ database, keys, storage }: Pick<Core, 'database' | 'keys' | 'storage'>): Promise<StoreClaim> {
  const found = await readMark(storage)
  // Another process may have claimed the store in between: where the database has a claim, the mark is read again.
  const mark = found ?? ((await hasStoreClaim(database)) ? await readMark(storage) : await leaveMark(storage, keys.storeMark))
  if (!mark) return 'elsewhere'
  if (!keys.isStoreMark(mark)) return "another's"
  await insertStoreClaim(database)
  return 'ours'
}

/** Returns the mark that was stored first, ours or another's. */
async function leaveMark(storage: Core['storage'], mark: Buffer): Promise<Buffer> {
  const sha256 = createHash('sha256').update(mark).digest()
  await storage.put(MARK, mark, { contentType: 'application/octet-stream', sha256 })
  return storage.read(MARK)
}

async function readMark(storage: Core['storage']): Promise<Buffer | undefined> {
  try {
    return await storage.read(MARK)
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'missing') return undefined
    throw error
  }
}
