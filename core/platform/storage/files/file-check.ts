// The file store's check at start: does this folder support what the store relies on?
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { clearIncoming, createFromBytes, ignoreMissing, syncFolder, type StoreFolders } from './durable-file.ts'
import { ensureDirectory } from './ensure-directory.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'

/** No upload takes this long: an older temporary file was left by a crash. */
const LEFT_OVER_AFTER_MS = 24 * 3_600_000

/** Writes, writes again, reads and removes a file, and clears files left in `incoming` by crashes. Throws StorageError. */
export async function checkFolder(folder: string, folders: StoreFolders): Promise<void> {
  const { objects, incoming } = folders
  for (const part of [objects, incoming]) await ensureDirectory(part)
  for (const made of [folder, dirname(folder)]) await syncFolder(made)
  const probe = join(objects, `check-${randomUUID()}`)
  const bytes = randomBytes(32)
  try {
    const outcomes = [await createFromBytes(folders, probe, bytes), await createFromBytes(folders, probe, randomBytes(32))]
    if (outcomes[0] !== 'created' || outcomes[1] !== 'exists' || !bytes.equals(await readFile(probe))) {
      throw new StorageError('failed', 'The file system of SEALWRIGHT_DATA_DIR does not store files reliably.')
    }
  } finally {
    await unlink(probe).catch(ignoreMissing)
  }
  // Compares times of the file system's clock only; it may differ from ours.
  await clearIncoming(incoming, new Date((await stat(incoming)).mtimeMs - LEFT_OVER_AFTER_MS))
}
