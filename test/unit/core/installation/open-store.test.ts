// A database that goes away between its own check and the claim of the store.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '#core/installation/open-store.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { openLog } from '#core/platform/log.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'

// requirements: running/starting/health
test('a store that cannot be claimed, because the database went away, is unavailable and claimed later; the process goes on', async () => {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'open-store-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const database = openDatabase({ url: 'postgres://away@127.0.0.1:1/away', pool: 1 })
  stack.defer(() => database.end({ timeout: 5 }))
  const keys = deriveInstallationKeys(randomBytes(32))
  const { settings } = readSettings({ SEALWRIGHT_DATA_DIR: dataDir })
  const opened = stack.use(await openStore({ ...settings, publicUrl: 'http://127.0.0.1' }, keys, openLog('silent')))
  await opened.claimFor({ database, keys })
  await expect(opened.store.check()).rejects.toThrow(/^SEALWRIGHT_DATABASE_URL: the database cannot be reached \(.*ECONNREFUSED/)
  await expect(opened.store.read('documents/1')).rejects.toMatchObject({ name: 'StorageError', reason: 'unreachable' })
})
