import { createHash, randomBytes } from 'node:crypto'
import { deleteOrphans } from '#core/envelope/document/delete-orphans.ts'
import { originalKey, sealedKey } from '#core/envelope/document/rules.ts'
import { DocumentId, newId } from '#core/ids.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { type TestService, testService } from '../support/servers/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** An object under the key, without a row. */
async function store(key: string): Promise<string> {
  const bytes = randomBytes(16)
  const sha256 = createHash('sha256').update(bytes).digest()
  await service.api.storage.put(key, bytes, { contentType: 'application/pdf', sha256 })
  return key
}

const isThere = async (key: string) => (await service.api.storage.stat(key)) !== undefined

describe('objects without a row', () => {
  test('are deleted after a day; those with a row, young ones and foreign ones stay', async () => {
    const { orgId } = service.organisation
    const orphans = [
      await store(originalKey(orgId, newId(DocumentId))),
      await store(sealedKey(orgId, randomBytes(32))),
      await store(originalKey(crypto.randomUUID() as typeof orgId, newId(DocumentId))),
    ]
    const foreign = [await store(`organisations/${orgId}/notes.pdf`), await store('backups/yesterday.pdf')]
    const { id } = await aSignedEnvelope(service)
    const kept = await service.database.owner<{ key: string }[]>`
      select storage_key as key from documents where envelope_id = ${id}
      union all
      select storage_key from sealed_documents where envelope_id = ${id}`
    expect(kept).toHaveLength(2)

    await deleteOrphans(service.system)
    expect(await Promise.all(orphans.map(isThere))).toEqual([true, true, true])

    await service.database.moveClock(86_400 + 60)
    await deleteOrphans(service.system)
    expect(await Promise.all(orphans.map(isThere))).toEqual([false, false, false])
    expect(await Promise.all([...kept.map(({ key }) => key), ...foreign].map(isThere))).toEqual([true, true, true, true])
  })

  test('may be unfinished uploads: those older than a day are aborted, and counted in the log', async () => {
    const asked: { prefix: string; ageSeconds: number }[] = []
    const storage = {
      ...service.system.storage,
      dropUnfinished: async (prefix: string, olderThan: Date) => {
        const now = await databaseNow(service.system.database)
        asked.push({ prefix, ageSeconds: Math.round((now.getTime() - olderThan.getTime()) / 1000) })
        return asked.length === 1 ? 3 : 0
      },
    }
    for (let round = 0; round < 2; round++) await deleteOrphans({ ...service.system, storage })
    expect(asked).toEqual(Array.from({ length: 2 }, () => ({ prefix: 'organisations/', ageSeconds: 86_400 })))
    const logged = (await service.readLog()).split('\n').filter((line) => line.includes('uploads.stale_aborted'))
    expect(logged.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ count: 3 })])
  })

  test('are found among thousands', async () => {
    const orphans = await Promise.all(
      Array.from({ length: 1_100 }, () => store(originalKey(service.organisation.orgId, newId(DocumentId)))),
    )
    await service.database.moveClock(86_400 + 120)
    await deleteOrphans(service.system)
    const left = await Promise.all(orphans.map(isThere))
    expect(left.filter(Boolean)).toEqual([])
  })
})
