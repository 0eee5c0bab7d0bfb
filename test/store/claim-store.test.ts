// The first store of an installation keeps its documents; a process with another store is rejected.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { claimStore } from '#core/installation/claim-store.ts'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const OURS = deriveInstallationKeys(randomBytes(32))
const OTHERS = deriveInstallationKeys(randomBytes(32))

let root: string
let database: TestDatabase
let stores = 0

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'sealwright-claims-'))
  database = await testDatabase()
})
beforeEach(async () => {
  await database.owner`delete from installation_store`
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await rm(root, { recursive: true, force: true })
})

function newStore(): ObjectStore {
  return openFileStore({ folder: path.join(root, String(++stores)), publicUrl: 'http://127.0.0.1', presignKey: OURS.presign })
}

const claim = (storage: ObjectStore, keys = OURS, pool = database.system) => claimStore({ database: pool, keys, storage })

test('the first store stays, for either role, and another one is detected', async () => {
  const [ours, empty] = [newStore(), newStore()]
  for (const pool of [database.api, database.system, database.api]) expect(await claim(ours, OURS, pool)).toBe('ours')
  expect(await claim(empty)).toBe('elsewhere')
  // Checking writes no mark.
  expect(await claim(empty)).toBe('elsewhere')
})

test('the store of another installation is not claimed', async () => {
  const theirs = newStore()
  expect(await claim(theirs, OTHERS)).toBe('ours')
  await database.owner`delete from installation_store`
  expect(await claim(theirs)).toBe("another's")
  expect(await database.owner`select from installation_store`).toHaveLength(0)
})

test('a database without a claim recognises its store by the mark', async () => {
  const ours = newStore()
  await claim(ours)
  await database.owner`delete from installation_store`
  expect(await claim(ours)).toBe('ours')
  expect(await claim(newStore())).toBe('elsewhere')
})

test('of many processes that start together with one store all are accepted', async () => {
  const ours = newStore()
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim(ours)))
  expect(new Set(claims)).toEqual(new Set(['ours']))
})

test('no process can delete the claim', async () => {
  await claim(newStore())
  for (const pool of [database.api, database.system])
    await expect(pool`delete from installation_store`).rejects.toThrow('permission denied')
})
