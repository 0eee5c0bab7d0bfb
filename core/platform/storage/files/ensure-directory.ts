// Makes folders. `mkdir` of Node 24 with `recursive` never answers where a folder that is there takes no other (below /proc): it holds a thread of the
// process for ever.
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { errnoOf } from '#core/platform/storage/errno.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'

/** Readable and writable for the service's user alone. */
const FOLDER_MODE = 0o700
/** How often the folder above may be taken away between its making and its use. */
const TRIES = 100

/** Makes a folder and those above it, for the service's user alone; one that is there stays as it is. Throws the system's error, or a StorageError. */
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
