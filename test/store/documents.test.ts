import {
  attachDocuments,
  countDocuments,
  deleteDocument,
  lockUnattached,
  lockUploads,
  markStored,
} from '#core/envelope/document/store.ts'
import { DocumentId, type EnvelopeId, newId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aDraftRow, anOrganisation, anUploadRow, type Organisation } from '../support/builders/rows.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const TTL_SECONDS = 1_000

let database: TestDatabase
let organisation: Organisation
let envelopeId: EnvelopeId

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.owner`delete from documents`
  organisation = await anOrganisation(database.system)
  envelopeId = await aDraftRow(database.system, organisation)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

const attachable = (ids: readonly DocumentId[], orgId = organisation.orgId) =>
  lockUploads(database.system, orgId, ids, TTL_SECONDS)
const unattached = async (sql: Sql = database.system, most = 100) =>
  (await lockUnattached(sql, TTL_SECONDS, most)).map(({ id }) => id)

/** Makes the upload as old as that, to the microsecond. */
async function age(id: DocumentId, seconds: number): Promise<void> {
  await database.owner`update documents set created_at = sealwright_now() - make_interval(secs => ${seconds}) where id = ${id}`
}

describe('an upload', () => {
  test('can be attached until it expires, and is swept from then on: never both, never neither', async () => {
    const id = await anUploadRow(database.system, organisation)
    for (const [seconds, swept] of [
      [0, false],
      [TTL_SECONDS - 1, false],
      [TTL_SECONDS, true],
      [TTL_SECONDS + 1, true],
    ] as const) {
      await database.system.begin(async (sql) => {
        // Within one transaction the time does not change.
        await sql`update documents set created_at = sealwright_now() - make_interval(secs => ${seconds}) where id = ${id}`
        expect(await unattached(sql)).toEqual(swept ? [id] : [])
        expect(await lockUploads(sql, organisation.orgId, [id], TTL_SECONDS)).toEqual(
          swept ? [] : [{ id, envelopeId: null, uploadSha256: null }],
        )
      })
    }
  })

  test('that is attached never expires: it names its envelope, and is never swept', async () => {
    const id = await anUploadRow(database.system, organisation, { attachedTo: envelopeId })
    await age(id, 100 * TTL_SECONDS)
    expect(await attachable([id])).toEqual([{ id, envelopeId, uploadSha256: null }])
    expect(await unattached()).toEqual([])
    expect(await deleteDocument(database.system, organisation.orgId, id)).toBe(undefined)
  })

  test('whose bytes never arrived cannot be attached, and is swept', async () => {
    const id = await anUploadRow(database.system, organisation, { stored: false })
    expect(await attachable([id])).toEqual([])
    await age(id, TTL_SECONDS)
    expect(await unattached()).toEqual([id])
  })

  test('of another organisation, or unknown, is not found', async () => {
    const id = await anUploadRow(database.system, organisation)
    const other = await anOrganisation(database.system)
    expect(await attachable([id], other.orgId)).toEqual([])
    expect(await attachable([newId(DocumentId)])).toEqual([])
    expect(await attachable([])).toEqual([])
  })

  test('is stored once: the second call gets no row', async () => {
    const id = await anUploadRow(database.system, organisation, { stored: false })
    const answers = await Promise.all(Array.from({ length: 5 }, () => markStored(database.system, organisation.orgId, id)))
    expect(answers.flat()).toMatchObject([{ id, filename: 'Lease.pdf', sizeBytes: 100 }])
  })

  test('is attached to one of many concurrent envelopes', async () => {
    const id = await anUploadRow(database.system, organisation)
    const envelopes = await Promise.all(Array.from({ length: 8 }, () => aDraftRow(database.system, organisation)))
    const answers = await Promise.all(
      envelopes.map((envelope) => attachDocuments(database.system, organisation.orgId, envelope, [id], 0)),
    )
    expect(answers.toSorted((left, right) => left - right)).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
  })

  test('that is being attached is skipped by the sweep, and kept', async () => {
    const id = await anUploadRow(database.system, organisation)
    await age(id, TTL_SECONDS - 0.05)
    const attached = Promise.withResolvers<void>()
    const committed = Promise.withResolvers<void>()
    const attaching = database.system.begin(async (sql) => {
      expect(await lockUploads(sql, organisation.orgId, [id], TTL_SECONDS)).toHaveLength(1)
      await attachDocuments(sql, organisation.orgId, envelopeId, [id], 0)
      attached.resolve()
      await committed.promise
    })
    await attached.promise
    await database.moveClock(10)
    expect(await unattached()).toEqual([])
    committed.resolve()
    await attaching
    expect(await unattached()).toEqual([])
  })
})

describe('the sweep', () => {
  test('takes the oldest first, and at most a batch', async () => {
    const ids = [
      await anUploadRow(database.system, organisation),
      await anUploadRow(database.system, organisation),
      await anUploadRow(database.system, organisation),
    ]
    await age(ids[0]!, TTL_SECONDS + 10)
    await age(ids[1]!, TTL_SECONDS + 30)
    await age(ids[2]!, TTL_SECONDS + 20)
    await database.system.begin(async (sql) => {
      // Without the index, whose order would be right anyway.
      await sql`set local enable_indexscan = off`
      await sql`set local enable_bitmapscan = off`
      expect(await unattached(sql, 2)).toEqual([ids[1], ids[2]])
    })
  })

  test('shares the due uploads with another sweep, without waiting', async () => {
    for (let count = 0; count < 6; count++) await age(await anUploadRow(database.system, organisation), TTL_SECONDS + count)
    const taken = await database.system.begin(async (one) => {
      const first = await unattached(one, 4)
      const second = await database.system.begin((two) => unattached(two, 4))
      return [first, second]
    })
    expect(taken.map((ids) => ids.length)).toEqual([4, 2])
    expect(new Set(taken.flat()).size).toBe(6)
  })
})

describe('documents of an envelope', () => {
  test('are counted with the last position taken, also after a removal from the middle', async () => {
    expect(await countDocuments(database.system, organisation.orgId, envelopeId)).toEqual({ count: 0, lastPosition: 0 })
    const ids = [
      await anUploadRow(database.system, organisation),
      await anUploadRow(database.system, organisation),
      await anUploadRow(database.system, organisation),
    ]
    await attachDocuments(database.system, organisation.orgId, envelopeId, ids, 0)
    await database.owner`delete from documents where position = 2`
    expect(await countDocuments(database.system, organisation.orgId, envelopeId)).toEqual({ count: 2, lastPosition: 3 })
  })
})
