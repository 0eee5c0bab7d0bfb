// The first process registers its key with the database; a process with another key is rejected.
import { randomBytes } from 'node:crypto'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { checkKey, claimKey } from '#core/installation/check-key.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const RIGHT = deriveInstallationKeys(randomBytes(32))
const WRONG = deriveInstallationKeys(randomBytes(32))
const REFUSED = 'SEALWRIGHT_INSTALLATION_KEY: the database was set up with a different key.'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.owner`delete from installation_key`
})
afterAll(() => database[Symbol.asyncDispose]())

test('the first key stays, for either role, at every start', async () => {
  for (const pool of [database.api, database.system, database.api]) await claimKey({ database: pool, keys: RIGHT })
  for (const pool of [database.api, database.system])
    await expect(claimKey({ database: pool, keys: WRONG })).rejects.toThrow(REFUSED)
})

test('of two processes that start together with different keys one is accepted', async () => {
  const claims = [RIGHT, WRONG, RIGHT, WRONG].map((keys) => claimKey({ database: database.system, keys }))
  const results = await Promise.allSettled(claims)
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
})

test('a command does not register its key', async () => {
  expect(await checkKey({ database: database.system, keys: WRONG })).toBe(false)
  await claimKey({ database: database.system, keys: RIGHT })
  expect(await checkKey({ database: database.system, keys: RIGHT })).toBe(true)
  await expect(checkKey({ database: database.system, keys: WRONG })).rejects.toThrow(REFUSED)
})

test('the stored proof is not the key, and no process can change it', async () => {
  await claimKey({ database: database.system, keys: RIGHT })
  for (const pool of [database.api, database.system]) {
    await expect(pool`update installation_key set proof = '\\x00'`).rejects.toThrow('permission denied')
    await expect(pool`delete from installation_key`).rejects.toThrow('permission denied')
  }
  await expect(database.owner`insert into installation_key (only_one, proof) values (false, '\\x00')`).rejects.toThrow('only_one')
})
