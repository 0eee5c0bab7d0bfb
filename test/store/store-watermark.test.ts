// Database and object store raise a number together; after a restore the one with the lower number is known to be behind.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSecretKey, randomBytes } from 'node:crypto'
import { acceptRestore } from '#core/installation/accept-restore.ts'
import { compareWatermarks } from '#core/installation/compare-watermarks.ts'
import { raiseWatermark } from '#core/installation/raise-watermark.ts'
import { storeRolledBack } from '#core/platform/metrics/metrics.ts'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let root: string
let database: TestDatabase
let storage: ObjectStore
let sentences: string[]
let stores = 0

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'sealwright-watermarks-'))
  database = await testDatabase()
})
beforeEach(async () => {
  await database.owner`delete from store_watermark`
  const presignKey = createSecretKey(randomBytes(32))
  storage = openFileStore({ folder: path.join(root, String(++stores)), publicUrl: 'http://127.0.0.1', presignKey })
  sentences = []
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await rm(root, { recursive: true, force: true })
})

const core = (store = storage) => ({ database: database.system, storage: store })
const log = { report: (sentence: string) => sentences.push(sentence) > 0, recovered: () => {} }
const raise = async (times = 1, store = storage) => {
  for (let time = 0; time < times; time++) await raiseWatermark(core(store), log)
}
const numbers = async () => {
  const { database: row, objects, behind } = await compareWatermarks(core())
  return [row?.number, objects?.number, behind]
}
const keys = async () => {
  const found: string[] = []
  for await (const { key } of storage.list('installation/', new Date(Date.now() + 60_000))) found.push(key)
  return found
}
const setRow = (number: number) => database.owner`update store_watermark set number = ${number}`
const gauges = async () =>
  Object.fromEntries((await storeRolledBack.get()).values.map(({ labels, value }) => [labels.store, value]))

test('both are raised together, and the store keeps the last three', async () => {
  expect(await numbers()).toEqual([undefined, undefined, undefined])
  await raise(5)
  expect(await numbers()).toEqual([5, 5, undefined])
  expect((await keys()).toSorted()).toEqual([3, 4, 5].map((number) => `installation/watermarks/00000000000${number}`))
  expect(await gauges()).toEqual({ database: 0, objects: 0 })
})

test('several controllers at once do not take each other for a restore', async () => {
  await Promise.all(Array.from({ length: 12 }, () => raise(4)))
  expect(sentences).toEqual([])
  expect((await numbers())[2]).toBeUndefined()
})

test('a store that cannot be written falls at most one behind', async () => {
  await raise(2)
  const full: ObjectStore = { ...storage, put: () => Promise.reject(new StorageError('full', 'no space left')) }
  for (let time = 0; time < 4; time++) await expect(raise(1, full)).rejects.toThrow('no space left')
  expect(await numbers()).toEqual([3, 2, undefined])
  await raise()
  expect(await numbers()).toEqual([3, 3, undefined])
})

test.each([
  ['database', 'database', 'object store', { database: 1, objects: 0 }],
  ['objects', 'object store', 'database', { database: 0, objects: 1 }],
] as const)('%s that went back are detected until the restore is accepted', async (behind, late, other, shown) => {
  await raise(5)
  const before = await keys()
  await setRow(behind === 'database' ? 4 : 7)
  await raise(2)
  expect((await numbers())[2]).toBe(behind)
  expect(await keys()).toEqual(before)
  expect(await gauges()).toEqual(shown)
  expect(sentences).toHaveLength(2)
  expect(sentences[0]).toMatch(`The ${late} was restored to an earlier time than the ${other}. Its last watermark is of 20`)

  expect((await acceptRestore(core())).behind).toBe(behind)
  await raise()
  expect(await numbers()).toEqual(behind === 'database' ? [6, 6, undefined] : [8, 8, undefined])
  expect(await gauges()).toEqual({ database: 0, objects: 0 })
})

test('a database from before the first watermark is behind', async () => {
  await raise(2)
  await database.owner`delete from store_watermark`
  await raise()
  expect(await numbers()).toEqual([undefined, 2, 'database'])
  expect(sentences[0]).toContain('It has no watermark')
})
