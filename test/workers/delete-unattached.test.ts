import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deleteUnattached } from '#core/envelope/document/delete-unattached.ts'
import { originalKey } from '#core/envelope/document/rules.ts'
import type { DocumentId } from '#core/ids.ts'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aDraftRow,
  anOrganisation,
  anUploadRow,
  type Organisation,
  type UploadOverrides,
  usageOf,
} from '../support/builders/rows.ts'
import { untilWaiting } from '../support/invariants/races/arrange.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const TTL_SECONDS = 1_000
const settings = {
  ...readSettings({ SEALWRIGHT_UNATTACHED_UPLOAD_TTL: `${TTL_SECONDS}s` }).settings,
  publicUrl: 'http://127.0.0.1',
}

let database: TestDatabase
let folder: string
let storage: ObjectStore
let organisation: Organisation

beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-uploads-'))
  storage = openFileStore({ folder, publicUrl: settings.publicUrl, presignKey: createSecretKey(randomBytes(32)) })
})
beforeEach(async () => {
  await database.owner`delete from documents`
  organisation = await anOrganisation(database.system)
})
afterEach(() => database.moveClock(0))
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const sweep = (store: ObjectStore = storage) =>
  deleteUnattached({ database: database.system, storage: store, settings, log: pino({ enabled: false }) })

/** An upload with its row and its bytes. */
async function anUpload(overrides: UploadOverrides = {}, owner = organisation): Promise<DocumentId> {
  const id = await anUploadRow(database.system, owner, overrides)
  const bytes = Buffer.from(`%PDF-1.7 ${id}`)
  const attributes = { contentType: 'application/pdf', sha256: createHash('sha256').update(bytes).digest() }
  if (overrides.stored !== false) await storage.put(originalKey(owner.orgId, id), bytes, attributes)
  return id
}

const isStored = async (id: DocumentId) => (await storage.stat(originalKey(organisation.orgId, id))) !== undefined

async function rows(): Promise<unknown[]> {
  return (await database.owner`select id from documents order by created_at`).map((row) => row['id'])
}

describe('an upload that was not attached in time', () => {
  test('is deleted with its row, bytes and quota; younger and attached ones stay', async () => {
    const envelopeId = await aDraftRow(database.system, organisation)
    const attached = await anUpload({ attachedTo: envelopeId, sizeBytes: 10 })
    const forgotten = await anUpload({ sizeBytes: 200 })
    const broken = await anUpload({ stored: false, sizeBytes: 3_000 })
    await database.moveClock(TTL_SECONDS + 1)
    const young = await anUpload({ sizeBytes: 40_000 })
    expect([await sweep(), await sweep()]).toEqual([2, 0])
    expect(await rows()).toEqual([attached, young])
    expect(await Promise.all([attached, forgotten, broken, young].map(isStored))).toEqual([true, false, false, true])
    expect(await usageOf(database.owner, organisation)).toMatchObject({ storageBytes: 40_010 })
  })

  test('stays before its time', async () => {
    const id = await anUpload()
    await database.moveClock(TTL_SECONDS - 60)
    expect(await sweep()).toBe(0)
    expect([await rows(), await isStored(id)]).toEqual([[id], true])
  })

  test('is deleted although the store fails; its bytes become an orphan', async () => {
    const id = await anUpload({ sizeBytes: 7 })
    await database.moveClock(TTL_SECONDS + 1)
    expect(await sweep({ ...storage, delete: () => Promise.reject(new Error('store away')) })).toBe(1)
    expect([await rows(), await isStored(id)]).toEqual([[], true])
    expect(await usageOf(database.owner, organisation)).toMatchObject({ storageBytes: 0 })
  })

  test('is deleted although its bytes were deleted before', async () => {
    const id = await anUpload()
    await storage.delete(originalKey(organisation.orgId, id))
    await database.moveClock(TTL_SECONDS + 1)
    expect(await sweep()).toBe(1)
    expect(await rows()).toEqual([])
  })
})

describe('the sweep', () => {
  // requirements: decisions/smaller/clean-up
  test('works in batches of 100', async () => {
    for (let made = 0; made < 103; made++) await anUploadRow(database.system, organisation)
    await database.moveClock(TTL_SECONDS + 1)
    expect([await sweep(), await sweep(), await sweep()]).toEqual([100, 3, 0])
    expect(await usageOf(database.owner, organisation)).toMatchObject({ storageBytes: 0 })
  })

  test("shares two organisations' uploads with a concurrent sweep, without a deadlock", async () => {
    const other = await anOrganisation(database.system)
    // The first batch starts with one organisation, the second with the other, and each continues with both.
    for (const owner of [organisation, other]) await anUploadRow(database.system, owner)
    for (let made = 0; made < 98; made++) await anUploadRow(database.system, organisation)
    for (const owner of [other, organisation]) await anUploadRow(database.system, owner)
    await database.moveClock(TTL_SECONDS + 1)
    const held = await database.owner.reserve()
    await held.unsafe('begin; select from organisations for update')
    const sweeping = Promise.all([sweep(), sweep()])
    await untilWaiting(database.owner, () => 2)
    await held.unsafe('commit')
    held.release()
    expect((await sweeping).toSorted((left, right) => right - left)).toEqual([100, 2])
    expect(await rows()).toEqual([])
    for (const owner of [organisation, other]) expect(await usageOf(database.owner, owner)).toMatchObject({ storageBytes: 0 })
  })

  test("does not block an organisation's uploads while the store is slow", async () => {
    await anUploadRow(database.system, organisation)
    await anUploadRow(database.system, organisation)
    await database.moveClock(TTL_SECONDS + 1)
    const second = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    let deletes = 0
    const slow: ObjectStore = {
      ...storage,
      async delete() {
        if (++deletes < 2) return
        second.resolve()
        await released.promise
      },
    }
    const sweeping = sweep(slow)
    await second.promise
    await database.system.begin(async (sql) => {
      await sql`set local lock_timeout = '2s'`
      await anUploadRow(sql, organisation, { sizeBytes: 5 })
    })
    released.resolve()
    await sweeping
    expect(await usageOf(database.owner, organisation)).toMatchObject({ storageBytes: 5 })
  })
})
