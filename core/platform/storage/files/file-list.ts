// Lists the folder of objects, for sweeps that look for objects without a row.
import type { Dirent, Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing } from './durable-file.ts'
import { toStorageError } from './file-errors.ts'
import type { StoredObject } from '#core/platform/storage/object-store.ts'

/** Every object whose key begins with `prefix` and that was stored before `olderThan`. Files that vanish meanwhile are left out. */
export async function* listFiles(objects: string, prefix: string, olderThan: Date): AsyncGenerator<StoredObject> {
  // Folders above the prefix's last slash cannot hold a match.
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  for await (const key of keysUnder(objects, folder)) {
    if (!key.startsWith(prefix)) continue
    const stats = await stat(join(objects, key)).catch(ignoreMissing)
    if (!stats) continue
    const object = toStoredObject(key, stats)
    if (object.storedAt < olderThan) yield object
  }
}

/** NOTE: the time of the inode's change, which is when the name was linked; the bytes may have been written earlier, in a spool file. */
export function toStoredObject(key: string, stats: Stats): StoredObject {
  return { key, length: stats.size, storedAt: stats.ctime }
}

async function* keysUnder(objects: string, folder: string): AsyncGenerator<string> {
  let entries: Dirent[]
  try {
    entries = (await readdir(join(objects, folder), { withFileTypes: true }).catch(ignoreMissing)) ?? []
  } catch (error) {
    throw toStorageError(error)
  }
  for (const entry of entries) {
    if (entry.isDirectory()) yield* keysUnder(objects, `${folder}${entry.name}/`)
    else yield folder + entry.name
  }
}
