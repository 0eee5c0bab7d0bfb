import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureDirectory } from '#core/platform/storage/files/ensure-directory.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let root: string
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'sealwright-folders-'))
})
afterAll(() => rm(root, { recursive: true }))

test('a folder is created with its parents, for this user alone, and may already exist', async () => {
  const folder = path.join(root, 'a', 'b', 'c')
  await ensureDirectory(folder)
  await ensureDirectory(folder)
  for (const each of [folder, path.dirname(folder)]) expect((await stat(each)).mode & 0o777).toBe(0o700)
})

test('it can be created concurrently', async () => {
  const folder = path.join(root, 'd', 'e', 'f')
  await Promise.all(Array.from({ length: 20 }, () => ensureDirectory(folder)))
  expect((await stat(folder)).isDirectory()).toBe(true)
})

test('a file in its place or on its path is reported', async () => {
  const file = path.join(root, 'file')
  await writeFile(file, '')
  await expect(ensureDirectory(file)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(ensureDirectory(path.join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.runIf(process.platform === 'linux')('a place that accepts no folder is reported, at any depth', async () => {
  for (const place of ['/proc/sealwright', '/proc/sealwright/a/b']) {
    await expect(ensureDirectory(place)).rejects.toThrow('The folder SEALWRIGHT_DATA_DIR cannot be created.')
  }
})
