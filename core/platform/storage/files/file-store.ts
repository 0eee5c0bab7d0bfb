// The object store without S3: one file per object under a folder. The key is the path, and the API itself serves the presigned URLs.
import { createHash, type KeyObject } from 'node:crypto'
import { rmdir, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { clearIncoming, createFromBytes, createFromFile, ignoreMissing } from './durable-file.ts'
import { errnoOf, StorageError } from '#core/platform/storage/storage-error.ts'
import { checkFolder } from './file-check.ts'
import { describingErrors } from './file-errors.ts'
import { listFiles, toStoredObject } from './file-list.ts'
import { readBuffer, readIntoBuffer } from '#core/platform/storage/read-into-buffer.ts'
import { digestFile, openFile, streamFile } from './file-read.ts'
import { assertObjectKey, type ObjectStore, type StoredObject } from '#core/platform/storage/object-store.ts'
import { signDownload } from '#core/platform/storage/presign.ts'

export interface FileStoreOptions {
  /** Created when missing, for the service's user alone. Files from the same file system are linked, not copied. */
  folder: string
  /** The address of the API, which serves `/downloads/`. */
  publicUrl: string
  /** Signs the presigned URLs; `readDownload` verifies them with the same key. */
  presignKey: KeyObject
}

/** Opens the store; no file is touched before the first call. */
export function openFileStore(options: FileStoreOptions): ObjectStore {
  const folder = resolve(options.folder)
  const folders = { objects: join(folder, 'objects'), incoming: join(folder, 'incoming') }
  const { objects } = folders
  const pathOf = (key: string) => {
    assertObjectKey(key)
    return join(objects, key)
  }
  return {
    putFile: (key, path, { sha256 }) =>
      describingErrors(async () => {
        const target = pathOf(key)
        assertDigest(key, await digestFile(path), sha256)
        return await createFromFile(folders, target, path)
      }),
    put: (key, bytes, { sha256 }) =>
      describingErrors(async () => {
        const target = pathOf(key)
        assertDigest(key, createHash('sha256').update(bytes).digest(), sha256)
        return await createFromBytes(folders, target, bytes)
      }),
    read: (key, range) => describingErrors(async () => await readBuffer(await streamFile(key, pathOf(key), range))),
    readInto: (key, memory) =>
      describingErrors(async () => await readIntoBuffer(await streamFile(key, pathOf(key), undefined), memory)),
    readStream: (key, range) => describingErrors(() => streamFile(key, pathOf(key), range)),
    stat: (key) => describingErrors(() => statObject(key, pathOf(key))),
    delete: (key) => describingErrors(() => deleteFile(pathOf(key), objects)),
    list: (prefix, olderThan) => listFiles(objects, prefix, olderThan),
    dropUnfinished: (_, olderThan) => describingErrors(() => clearIncoming(folders.incoming, olderThan)),
    async presignGet(key, { fileName, contentType, expiresInSeconds, now }) {
      assertObjectKey(key)
      const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000)
      return `${options.publicUrl}/downloads/${signDownload(options.presignKey, { key, fileName, contentType, expiresAt })}`
    },
    check: () => describingErrors(() => checkFolder(folder, folders)),
    async close() {},
  }
}

function assertDigest(key: string, actual: Buffer, claimed: Buffer): void {
  if (!actual.equals(claimed))
    throw new StorageError('corrupt', `The bytes for object ${key} do not have the SHA-256 that came with them.`)
}

async function statObject(key: string, path: string): Promise<StoredObject | undefined> {
  const file = await openFile(path)
  if (!file) return undefined
  try {
    return toStoredObject(key, await file.stat())
  } finally {
    await file.close()
  }
}

async function deleteFile(path: string, objects: string): Promise<void> {
  await unlink(path).catch(ignoreMissing)
  for (let folder = dirname(path); folder !== objects; folder = dirname(folder)) {
    const removed = await rmdir(folder).then(
      () => true,
      (error: unknown) => {
        if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) return false
        throw error
      },
    )
    if (!removed) return
  }
}
