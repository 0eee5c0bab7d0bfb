// Creates folders. Node 24's `mkdir` with `recursive` never returns where an existing folder cannot contain another (below /proc), and blocks a pool
// thread forever.
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { errnoOf, StorageError } from '#core/platform/storage/storage-error.ts'

/** Readable and writable for the service's user alone. */
const FOLDER_MODE = 0o700
/** How often the parent folder may be removed between its creation and its use. */
const TRIES = 100

/** Creates a folder and its parents, for the service's user alone; an existing one stays unchanged. Throws the system's error, or a StorageError. */
export async function ensureDirectory(folder: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      await mkdir(folder, { mode: FOLDER_MODE })
      return
    } catch (error) {
      if (errnoOf(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return
      if (errnoOf(error) !== 'ENOENT') throw error
    }
    await ensureDirectory(path.dirname(folder))
  }
  throw new StorageError('failed', 'The folder SEALWRIGHT_DATA_DIR cannot be created.')
}
