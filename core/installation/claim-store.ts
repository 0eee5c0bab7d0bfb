// Whether the object store is the one in which this installation keeps its documents. A process with another one, for lack of a setting say, would find no
// document that the others have stored, and give up on all of them.
import { createHash } from 'node:crypto'
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { hasStoreClaim, insertStoreClaim } from './store.ts'

/** Beside the documents, whose keys begin with another word. */
const MARK = 'installation/mark'

/** `ours`, now or since long; `another's`: it bears the mark of another installation; `elsewhere`: ours is another one. */
export type StoreClaim = 'ours' | "another's" | 'elsewhere'

/** Makes the store that of the installation, if none is yet. Throws StorageError. */
export async function claimStore({ database, keys, storage }: Pick<Core, 'database' | 'keys' | 'storage'>): Promise<StoreClaim> {
  const found = await readMark(storage)
  // Of two that start at once the other may have been here since: where there is a claim, the mark is looked for again.
  const mark = found ?? ((await hasStoreClaim(database)) ? await readMark(storage) : await leaveMark(storage, keys.storeMark))
  if (!mark) return 'elsewhere'
  if (!equalSecrets(mark, keys.storeMark)) return "another's"
  await insertStoreClaim(database)
  return 'ours'
}

/** The first one stays; answers whichever that is. */
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
