import { createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const pdf = (bytes: Buffer) => ({ contentType: 'application/pdf', sha256: createHash('sha256').update(bytes).digest() })
const bytes = randomBytes(1000)

let root: string
let folder: string
let store: ObjectStore
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sealwright-files-'))
  folder = join(root, 'storage')
  store = openFileStore({ folder, publicUrl: 'http://127.0.0.1', presignKey: createSecretKey(randomBytes(32)) })
})
afterEach(() => rm(root, { recursive: true }))

async function spooledIn(place: string): Promise<string> {
  const path = join(place, randomUUID())
  await writeFile(path, bytes, { mode: 0o644 })
  return path
}

describe('a file put into the store', () => {
  test('is linked, not copied, on the same file system', async () => {
    const path = await spooledIn(root)
    await store.putFile('a/b', path, pdf(bytes))
    expect((await stat(join(folder, 'objects/a/b'))).ino).toBe((await stat(path)).ino)
  })

  test('stays when its spool file is deleted', async () => {
    const path = await spooledIn(root)
    await store.putFile('a/b', path, pdf(bytes))
    await rm(path)
    expect(bytes.equals(await store.read('a/b'))).toBe(true)
  })

  // /dev/shm is another file system.
  test('is copied from another file system', async () => {
    const elsewhere = await mkdtemp('/dev/shm/sealwright-')
    try {
      const path = await spooledIn(elsewhere)
      expect((await stat(elsewhere)).dev).not.toBe((await stat(root)).dev)
      expect(await store.putFile('a/b', path, pdf(bytes))).toBe('created')
      expect(await store.putFile('a/b', path, pdf(bytes))).toBe('exists')
      expect(bytes.equals(await store.read('a/b'))).toBe(true)
      expect(await readdir(join(folder, 'incoming'))).toEqual([])
    } finally {
      await rm(elsewhere, { recursive: true })
    }
  })

  test("is readable for the service's user alone, like every folder above it", async () => {
    await store.putFile('a/b/c', await spooledIn(root), pdf(bytes))
    await store.put('a/b/d', bytes, pdf(bytes))
    const modes = await Promise.all(
      ['.', 'objects', 'objects/a', 'objects/a/b', 'objects/a/b/c', 'objects/a/b/d', 'incoming'].map(
        async (path) => (await stat(join(folder, path))).mode & 0o777,
      ),
    )
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o700, 0o600, 0o600, 0o700])
  })

  test('leaves no temporary file, whether it is new, taken or rejected', async () => {
    await store.put('a', bytes, pdf(bytes))
    await store.put('a', bytes, pdf(bytes))
    await expect(store.put('b', bytes, pdf(Buffer.from('other')))).rejects.toMatchObject({ reason: 'corrupt' })
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
    expect(await readdir(join(folder, 'objects'))).toEqual(['a'])
  })
})

describe('a key below the key of another object', () => {
  test('is rejected and does not count as stored', async () => {
    await store.put('a', bytes, pdf(bytes))
    for (const key of ['a/b', 'a/b/c']) {
      await expect(store.put(key, bytes, pdf(bytes))).rejects.toMatchObject({ name: 'StorageError', reason: 'failed' })
      await expect(store.read(key)).rejects.toMatchObject({ reason: 'missing' })
    }
  })
})

describe('a deleted object', () => {
  test('deletes the folders that become empty', async () => {
    await store.put('a/b/c', bytes, pdf(bytes))
    await store.put('a/d', bytes, pdf(bytes))
    await store.delete('a/b/c')
    expect(await readdir(join(folder, 'objects/a'))).toEqual(['d'])
    await store.delete('a/d')
    expect(await readdir(join(folder, 'objects'))).toEqual([])
  })
})

describe('the check at start', () => {
  test('creates the folder, and reports when it cannot', async () => {
    await store.check()
    expect((await stat(folder)).isDirectory()).toBe(true)
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file in the way')
    await expect(store.check()).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringMatching(
        /^(A file in SEALWRIGHT_DATA_DIR could not be used: EEXIST|SEALWRIGHT_DATA_DIR, or a parent folder, is a file)\.$/,
      ),
    })
  })

  test('deletes what a crash left a day ago, and nothing younger', async () => {
    const incoming = join(folder, 'incoming')
    await mkdir(incoming, { recursive: true })
    const dayAndHourAgo = new Date(Date.now() - 25 * 3_600_000)
    await writeFile(join(incoming, 'old'), bytes)
    await utimes(join(incoming, 'old'), dayAndHourAgo, dayAndHourAgo)
    await writeFile(join(incoming, 'young'), bytes)
    await store.check()
    expect(await readdir(incoming)).toEqual(['young'])
    expect(bytes.equals(await readFile(join(incoming, 'young')))).toBe(true)
  })
})

test('a sweep deletes unfinished writes of the given age, and counts them', async () => {
  const incoming = join(folder, 'incoming')
  expect(await store.dropUnfinished('', new Date())).toBe(0)
  await mkdir(incoming, { recursive: true })
  const then = new Date(Date.now() - 3_600_000)
  for (const name of ['old', 'older']) {
    await writeFile(join(incoming, name), bytes)
    await utimes(join(incoming, name), then, then)
  }
  await writeFile(join(incoming, 'young'), bytes)
  expect(await store.dropUnfinished('organisations/', new Date(then.getTime() + 1_000))).toBe(2)
  expect(await readdir(incoming)).toEqual(['young'])
})
