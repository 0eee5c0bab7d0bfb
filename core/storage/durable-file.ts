// Writing a file so that it is there, whole, after a power cut, and never in place of another: temporary file, fsync, hard link, fsync of the
// folder. A hard link, unlike a rename, fails when the name is taken.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errnoOf } from './errno.ts'
import type { PutOutcome } from './object-store.ts'

/** Readable and writable for the service's user alone. */
export const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/** The file system has no hard links, or not between these two places, or no more of them to this file. */
const CANNOT_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'])
const LINK_TRIES = 5

/** Gives the bytes the name `target`, by way of a file in `incoming`. */
export async function createFromBytes(incoming: string, target: string, bytes: Uint8Array): Promise<PutOutcome> {
  return await viaTemporary(incoming, target, async (temporary) => {
    await using file = await open(temporary, 'wx', FILE_MODE)
    await file.writeFile(bytes)
    await file.sync()
  })
}

/** Gives the file at `path` the name `target` as well, without copying it where the file system allows. */
export async function createFromFile(incoming: string, target: string, path: string): Promise<PutOutcome> {
  {
    await using file = await open(path, 'r')
    await file.chmod(FILE_MODE)
    await file.sync()
  }
  try {
    return await linkDurably(path, target)
  } catch (error) {
    if (!CANNOT_LINK.has(errnoOf(error) ?? '')) throw error
  }
  return await viaTemporary(incoming, target, async (temporary) => {
    await copyFile(path, temporary, constants.COPYFILE_EXCL)
    await using file = await open(temporary, 'r+')
    await file.chmod(FILE_MODE)
    await file.sync()
  })
}

async function viaTemporary(incoming: string, target: string, write: (temporary: string) => Promise<void>): Promise<PutOutcome> {
  await makeFolderDurably(incoming)
  const temporary = join(incoming, randomUUID())
  try {
    await write(temporary)
    return await linkDurably(temporary, target)
  } finally {
    await unlink(temporary).catch(ignoreMissing)
  }
}

async function linkDurably(path: string, target: string): Promise<PutOutcome> {
  for (let tries = 1; ; tries++) {
    await makeFolderDurably(dirname(target))
    try {
      const outcome = await link(path, target).then(
        () => 'created' as const,
        (error: unknown) => {
          if (errnoOf(error) === 'EEXIST') return 'exists' as const
          throw error
        },
      )
      // Also when it exists: its creator may not have come to this line yet, and our caller will rely on it.
      await syncFolder(dirname(target))
      return outcome
    } catch (error) {
      // A deletion took the emptied folder away in between.
      if (errnoOf(error) !== 'ENOENT' || tries === LINK_TRIES) throw error
    }
  }
}

/** Makes a folder and those above it, each entered durably in its parent. */
export async function makeFolderDurably(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

/** For a removal: gone already is as good. */
export function ignoreMissing(error: unknown): void {
  if (errnoOf(error) !== 'ENOENT') throw error
}
