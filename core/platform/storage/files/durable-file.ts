// Writes a file so that it is complete after a power cut and never replaces another: temporary file, fsync, hard link, fsync of the folder. A hard
// link, unlike a rename, fails when the name is taken.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, open, readdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errnoOf } from '#core/platform/storage/storage-error.ts'
import { ensureDirectory } from './ensure-directory.ts'
import type { PutOutcome } from '#core/platform/storage/object-store.ts'

/** Readable and writable for the service's user alone. */
export const FILE_MODE = 0o600
/** The file system has no hard links, not between these two places, or no more of them to this file. */
const CANNOT_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'])
/** How often a concurrent deletion may remove the new folder before it is used; more means another error. */
const LINK_TRIES = 100

/** Where finished files are stored and where they are written. */
export interface StoreFolders {
  objects: string
  incoming: string
}

/** Stores the bytes as `target`, through a temporary file in `incoming`. */
export async function createFromBytes(folders: StoreFolders, target: string, bytes: Uint8Array): Promise<PutOutcome> {
  return await viaTemporary(folders, target, async (temporary) => {
    await using file = await open(temporary, 'wx', FILE_MODE)
    await file.writeFile(bytes)
    await file.sync()
  })
}

/** Links the file at `path` as `target`, without copying it where the file system allows. */
export async function createFromFile(folders: StoreFolders, target: string, path: string): Promise<PutOutcome> {
  {
    await using file = await open(path, 'r')
    await file.chmod(FILE_MODE)
    await file.sync()
  }
  try {
    return await linkDurably(path, target, folders.objects)
  } catch (error) {
    if (!CANNOT_LINK.has(errnoOf(error) ?? '')) throw error
  }
  return await viaTemporary(folders, target, async (temporary) => {
    await copyFile(path, temporary, constants.COPYFILE_EXCL)
    await using file = await open(temporary, 'r+')
    await file.chmod(FILE_MODE)
    await file.sync()
  })
}

async function viaTemporary(
  { objects, incoming }: StoreFolders,
  target: string,
  write: (temporary: string) => Promise<void>,
): Promise<PutOutcome> {
  await ensureDirectory(incoming)
  const temporary = join(incoming, randomUUID())
  try {
    await write(temporary)
    return await linkDurably(temporary, target, objects)
  } finally {
    await unlink(temporary).catch(ignoreMissing)
  }
}

async function linkDurably(path: string, target: string, objects: string): Promise<PutOutcome> {
  const outcome = await linkInFolder(path, target)
  // Syncs every folder on the path, even if it or the file existed: its creator may not have synced it yet, and our caller relies on it.
  for (let folder = dirname(target); folder.length >= objects.length; folder = dirname(folder)) {
    await syncFolder(folder).catch(ignoreMissing)
  }
  return outcome
}

async function linkInFolder(path: string, target: string): Promise<PutOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      await ensureDirectory(dirname(target))
      return await linkOnce(path, target)
    } catch (error) {
      // A deletion removed the emptied folder in between.
      if (errnoOf(error) !== 'ENOENT' || tries === LINK_TRIES) throw error
    }
  }
}

async function linkOnce(path: string, target: string): Promise<PutOutcome> {
  try {
    await link(path, target)
    return 'created'
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return 'exists'
    throw error
  }
}

/** Removes temporary files, left by a crash, that were last written before `olderThan`. Returns how many. */
export async function clearIncoming(incoming: string, olderThan: Date): Promise<number> {
  let removed = 0
  for (const name of (await readdir(incoming).catch(ignoreMissing)) ?? []) {
    const path = join(incoming, name)
    const stats = await stat(path).catch(ignoreMissing)
    if (!stats || stats.mtime >= olderThan) continue
    await unlink(path).catch(ignoreMissing)
    removed++
  }
  return removed
}

/** Makes changes to a folder's entries survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

/** For removals: a missing file counts as removed. */
export function ignoreMissing(error: unknown): void {
  if (errnoOf(error) !== 'ENOENT') throw error
}
