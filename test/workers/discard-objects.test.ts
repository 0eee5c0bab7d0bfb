// Bytes are deleted after the commit that deleted their row: an interruption leaves an orphan, never a document without bytes.
import { readFile } from 'node:fs/promises'
import type { Caller } from '#core/context.ts'
import { deleteOrphans } from '#core/envelope/document/delete-orphans.ts'
import { deleteUnattached } from '#core/envelope/document/delete-unattached.ts'
import { deleteDraft } from '#core/envelope/delete-draft.ts'
import { deleteStaleDrafts } from '#core/envelope/delete-stale-drafts.ts'
import type { EnvelopeId } from '#core/ids.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { aDraft } from '../support/builders/envelopes.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterEach(() => service.database.moveClock(0))
afterAll(() => service[Symbol.asyncDispose]())

async function aCaller(): Promise<Caller> {
  const { orgId, clientId } = service.organisation
  const [row] = await service.database.owner`select id from credentials where client_id = ${clientId}`
  return { kind: 'credential', orgId, credentialId: row!['id'], clientId, origin: { address: null, userAgent: null } }
}

const removals: [string, (storage: ObjectStore) => Promise<unknown>][] = [
  [
    'a draft that its organisation deletes',
    async (storage) => {
      const { id } = await aDraft(service.client)
      await deleteDraft({ ...service.api, storage }, await aCaller(), id as EnvelopeId)
    },
  ],
  [
    'a stale draft',
    async (storage) => {
      await aDraft(service.client)
      await service.database.moveClock(31 * 86_400)
      await deleteStaleDrafts({ ...service.system, storage })
    },
  ],
  [
    'an unattached upload',
    async (storage) => {
      await service.client.upload('/api/v1/documents', await readFile(pdfFixture('reportlab.pdf')))
      await service.database.moveClock(2 * 86_400)
      await deleteUnattached({ ...service.system, storage })
    },
  ],
]

const rowsOf = async (key: string) => (await service.database.owner`select 1 from documents where storage_key = ${key}`).length

/** The store, with a callback before it deletes a key. */
const watched = (onDelete: (key: string) => Promise<void>): ObjectStore => ({
  ...service.system.storage,
  async delete(key) {
    await onDelete(key)
    await service.system.storage.delete(key)
  },
})

test.each(removals)('%s has no row any more when its bytes are deleted', async (_name, remove) => {
  const rowsLeft: number[] = []
  await remove(watched(async (key) => void rowsLeft.push(await rowsOf(key))))
  expect(rowsLeft).toEqual([0])
})

test.each(removals)('%s is deleted although the store fails, and its bytes are deleted as an orphan', async (_name, remove) => {
  const { storage } = service.system
  const kept: string[] = []
  await remove(
    watched(async (key) => {
      kept.push(key)
      throw new StorageError('unreachable', 'store away')
    }),
  )
  expect(kept).toHaveLength(1)
  expect([await rowsOf(kept[0]!), await storage.stat(kept[0]!)]).toEqual([0, expect.anything()])
  expect(await service.readLog()).toContain('object.delete_failed')
  await service.database.moveClock(40 * 86_400)
  await deleteOrphans(service.system)
  expect(await storage.stat(kept[0]!)).toBeUndefined()
})
