// Erasure of documents when objects cannot be deleted, and when seals are stored afterwards.
import { deleteOrphans } from '#core/envelope/document/delete-orphans.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { apiClient, type ApiClient } from '../support/clients/api-client.ts'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { aSignedEnvelope, signAs } from '../support/builders/signed-envelope.ts'
import { KEPT_SECONDS, type ShortRetention, shortRetention } from '../support/servers/short-retention.ts'
import type { TestService } from '../support/servers/test-service.ts'

let service: TestService
let client: ApiClient
let sweep: ShortRetention['sweep']
let row: ShortRetention['row']
let objects: ShortRetention['objects']

beforeAll(async () => {
  ;({ service, sweep, row, objects } = await shortRetention())
})
beforeEach(() => moveTo(0))
afterAll(() => service[Symbol.asyncDispose]())

async function moveTo(seconds: number): Promise<void> {
  await service.database.moveClock(seconds)
  client = await apiClient(service.url, service.organisation)
}

test('an envelope whose objects cannot be deleted does not block others, and is retried', async () => {
  const ids: string[] = []
  for (let made = 0; made < 22; made++) ids.push((await aSignedEnvelope(service)).id)
  await moveTo(KEPT_SECONDS + 1)
  const last = ids.pop()!
  const locked = new Set(
    (await service.database.owner`select storage_key from documents where envelope_id = any(${ids})`).map(
      (row) => row['storageKey'],
    ),
  )
  const { storage } = service.system
  const held: ObjectStore = {
    ...storage,
    delete: (key) => (locked.has(key) ? Promise.reject(new StorageError('denied', 'under a lock')) : storage.delete(key)),
  }
  while ((await sweep(held)) > 0);
  expect(await row(last)).toMatchObject({ erasedAt: expect.any(Date) })
  for (const id of ids) expect(await row(id)).toMatchObject({ archivedAt: expect.any(Date), erasedAt: null })
  expect(await service.readLog()).toContain('erasure.failed')
  while ((await sweep()) > 0);
  for (const id of ids) expect(await row(id)).toMatchObject({ erasedAt: expect.any(Date) })
})

test('no transaction waits for the store during a deletion', async () => {
  const { id } = await aSignedEnvelope(service)
  await moveTo(KEPT_SECONDS + 1)
  const { storage } = service.system
  const open: number[] = []
  const watched: ObjectStore = {
    ...storage,
    async delete(key) {
      const rows = await service.database.owner`
        select from pg_stat_activity where datname = current_database() and application_name = 'sealwright_system' and state = 'idle in transaction'`
      open.push(rows.length)
      await storage.delete(key)
    },
  }
  while ((await sweep(watched)) > 0);
  expect(await row(id)).toMatchObject({ erasedAt: expect.any(Date) })
  expect(open).toEqual([0, 0])
})

test('a copy that is stored during the deletion is deleted as well', async () => {
  const before = await objects()
  const { id, tokens } = await aSentEnvelope(client)
  await signAs(service, tokens[0]!.token)
  const { storage } = service.system
  const sealed = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const awaited: ObjectStore = {
    ...storage,
    async put(...copy) {
      sealed.resolve()
      await released.promise
      return storage.put(...copy)
    },
  }
  const run = sealNextEnvelope({ ...service.system, storage: awaited }, service.sealing)
  await sealed.promise
  await service.database.owner`update seal_jobs set leased_until = null where envelope_id = ${id}`
  await service.database.owner`update envelopes set ended_at = ended_at - make_interval(secs => ${KEPT_SECONDS}) where id = ${id}`
  const overtaken: ObjectStore = {
    ...storage,
    async delete(key) {
      await storage.delete(key)
      released.resolve()
      await run
    },
  }
  while ((await sweep(overtaken)) > 0);
  expect(await row(id)).toMatchObject({ erasedAt: expect.any(Date) })
  expect(await objects()).toEqual(before)
})

test('a worker that outlived its lease leaves nothing of an envelope erased meanwhile', async () => {
  const before = await objects()
  for (const deletes of [true, false]) {
    const { id, tokens } = await aSentEnvelope(client)
    await signAs(service, tokens[0]!.token)
    const sealedOnce = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const sealing: SealingPool = {
      ...service.sealing,
      async seal(request, key) {
        const sealed = await service.sealing.seal(request, key)
        sealedOnce.resolve()
        await released.promise
        return sealed
      },
    }
    // A worker that was killed after it stored its copy, before it could delete it.
    const { storage } = service.system
    const killed = { ...storage, delete: () => Promise.reject(new Error('killed')) }
    const run = sealNextEnvelope({ ...service.system, storage: deletes ? storage : killed }, sealing)
    await sealedOnce.promise
    await service.database.owner`update seal_jobs set leased_until = null where envelope_id = ${id}`
    await service.database
      .owner`update envelopes set ended_at = ended_at - make_interval(secs => ${KEPT_SECONDS}) where id = ${id}`
    while ((await sweep()) > 0);
    expect(await row(id)).toMatchObject({ erasedAt: expect.any(Date) })
    released.resolve()
    await run
    expect(await objects()).toHaveLength(before.length + (deletes ? 0 : 1))
  }
  await moveTo(2 * 86_400)
  await deleteOrphans(service.system)
  expect(await objects()).toEqual(before)
})
