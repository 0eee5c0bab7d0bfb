// What reads show as expired or deleted uses no quota, whether or not it was swept.
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deleteStaleDrafts } from '#core/envelope/delete-stale-drafts.ts'
import { expireEnvelopes } from '#core/envelope/expire-envelopes.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { listQuotaUse } from '#core/account/quota/list-quota-use.ts'
import { reserveOpenEnvelope, reserveStorage } from '#core/account/quota/reserve.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aDraftRow, anOrganisation, anUploadRow, type Organisation, usageOf } from '../support/builders/rows.ts'
import { inOrder } from '../support/invariants/races/arrange.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const DRAFT_SECONDS = 5_000
const UPLOAD_SECONDS = 1_000
const { settings } = readSettings({
  SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '3',
  SEALWRIGHT_QUOTA_STORAGE_BYTES: '1000',
  SEALWRIGHT_UNATTACHED_UPLOAD_TTL: `${UPLOAD_SECONDS}s`,
})

let service: TestService
let organisation: Organisation

beforeAll(async () => {
  service = await testService()
})
beforeEach(async () => {
  await service.database.moveClock(0)
  organisation = await anOrganisation(service.database.system)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Reserves like a request: in the role of the API, under row-level security. */
const reserving = (reserve: (sql: Sql) => void, { orgId } = organisation) =>
  inOrganisation(service.api.database, orgId, async (sql) => {
    reserve(sql)
  })
const openOne = (of = organisation) => reserving((sql) => reserveOpenEnvelope(sql, of.orgId, settings), of)
const store = (bytes: number) => reserving((sql) => reserveStorage(sql, organisation.orgId, settings, bytes))
const inUse = async () => {
  const { orgId } = organisation
  const uses = await inOrganisation(service.api.database, orgId, (sql) => listQuotaUse(sql, orgId, settings))
  return Object.fromEntries(uses.map(({ dimension, current }) => [dimension, current]))
}

const draftOf = (of: Organisation, lapsesIn?: number) => {
  const expiresAt = lapsesIn === undefined ? null : new Date(Date.now() + lapsesIn * 1_000)
  return aDraftRow(service.database.system, of, { draftTtlSeconds: DRAFT_SECONDS, expiresAt })
}

describe('open envelopes', () => {
  test('that have expired make room for others, and are not in use', async () => {
    await draftOf(organisation, 100)
    await draftOf(organisation, 200)
    const sent = await draftOf(organisation, 300)
    await service.database.owner`update envelopes set status = 'SENT', drops_at = null where id = ${sent}`
    await expect(openOne()).rejects.toMatchObject({ quota: { dimension: 'OPEN_ENVELOPES', limit: 3, current: 3 } })
    await service.database.moveClock(250)
    expect(await inUse()).toMatchObject({ OPEN_ENVELOPES: 1 })
    await openOne()
    await openOne()
    await expect(openOne()).rejects.toMatchObject({ quota: { dimension: 'OPEN_ENVELOPES', limit: 3, current: 3 } })
    await service.database.moveClock(301)
    await openOne()
    expect(await inUse()).toMatchObject({ OPEN_ENVELOPES: 3 })
  })

  test('of stale drafts are not in use; a draft that expired before it became stale counts once', async () => {
    await draftOf(organisation)
    await draftOf(organisation, 100)
    await service.database.moveClock(DRAFT_SECONDS + 1)
    expect(await inUse()).toMatchObject({ OPEN_ENVELOPES: 0 })
    await Promise.all([openOne(), openOne(), openOne()])
    await expect(openOne()).rejects.toMatchObject({ quota: { current: 3 } })
  })

  test('of other organisations that expired make no room', async () => {
    const others = await anOrganisation(service.database.system)
    await draftOf(others, 100)
    for (let taken = 0; taken < 3; taken++) await draftOf(organisation)
    await service.database.moveClock(101)
    await expect(openOne()).rejects.toMatchObject({ quota: { current: 3 } })
  })

  test('of other organisations cannot be counted', async () => {
    const others = await anOrganisation(service.database.system)
    const dropped = await draftOf(others)
    await anUploadRow(service.database.system, others, { attachedTo: dropped })
    await service.database.moveClock(DRAFT_SECONDS + 1)
    const ended = (orgId: string) => (sql: Sql) =>
      sql`select ended_open_envelopes(${orgId})::int as envelopes, ended_storage_bytes(${orgId}, 0)::int as bytes`
    const counted = { envelopes: 1, bytes: 100 }
    expect(await inOrganisation(service.api.database, others.orgId, ended(others.orgId))).toEqual([counted])
    expect(await inOrganisation(service.api.database, organisation.orgId, ended(others.orgId))).toEqual([
      { envelopes: 0, bytes: 0 },
    ])
    expect(await ended(others.orgId)(service.database.system)).toEqual([counted])
  })

  test('are the same number after the sweep as before', async () => {
    await draftOf(organisation, 100)
    await draftOf(organisation)
    const sent = await draftOf(organisation, 9_000)
    await service.database.owner`update envelopes set status = 'SENT', drops_at = null where id = ${sent}`
    for (const seconds of [101, DRAFT_SECONDS + 1]) {
      await service.database.moveClock(seconds)
      const before = await inUse()
      await expireEnvelopes(service.system)
      await deleteStaleDrafts({ ...service.system, settings: { ...service.system.settings, draftTtlSeconds: DRAFT_SECONDS } })
      expect(await inUse()).toEqual(before)
    }
    expect(await usageOf(service.database.owner, organisation)).toMatchObject({ openEnvelopes: 1 })
  })

  // Whichever is first: what one releases, the other counts once.
  test.each(['sweep', 'request'])('are not released twice by a concurrent sweep and request, the %s first', async (first) => {
    for (let taken = 0; taken < 3; taken++) await draftOf(organisation, 100)
    await service.database.moveClock(101)
    for (let taken = 0; taken < 3; taken++) await openOne()
    const contenders = [() => expireEnvelopes(service.system), () => openOne()]
    const outcomes = await inOrder(
      service.database,
      (sql) => sql`select from organisations where id = ${organisation.orgId} for update`,
      first === 'sweep' ? contenders : contenders.toReversed(),
    )
    expect(outcomes.toSorted()).toEqual(['QUOTA_EXCEEDED', 'done'])
    expect(await usageOf(service.database.owner, organisation)).toMatchObject({ openEnvelopes: 3 })
  })

  test('never exceed the quota while sweeps release them, and no request is refused free room', async () => {
    for (let round = 1; round <= 20; round++) {
      const own = await anOrganisation(service.database.system)
      await service.database.moveClock(0)
      for (let taken = 0; taken < 3; taken++) await draftOf(own, 100)
      await service.database.moveClock(101)
      const [, ...opened] = await Promise.allSettled([
        expireEnvelopes(service.system),
        ...Array.from({ length: 5 }, () => openOne(own)),
      ])
      expect(
        opened.filter(({ status }) => status === 'fulfilled'),
        `round ${round}`,
      ).toHaveLength(3)
      await expireEnvelopes(service.system)
      expect(await usageOf(service.database.owner, own)).toMatchObject({ openEnvelopes: 3 })
    }
  })
})

describe('storage', () => {
  test('of expired uploads is free, and that of documents is not', async () => {
    const envelope = await draftOf(organisation, 2_000)
    await anUploadRow(service.database.system, organisation, { sizeBytes: 300, attachedTo: envelope })
    await anUploadRow(service.database.system, organisation, { sizeBytes: 200 })
    await anUploadRow(service.database.system, organisation, { sizeBytes: 400, stored: false })
    await expect(store(101)).rejects.toMatchObject({ quota: { dimension: 'STORAGE_BYTES', limit: 1_000, current: 900 } })
    await service.database.moveClock(UPLOAD_SECONDS + 1)
    expect(await inUse()).toMatchObject({ STORAGE_BYTES: 300 })
    await store(700)
    await expect(store(1)).rejects.toMatchObject({ quota: { dimension: 'STORAGE_BYTES', current: 1_000 } })
  })

  test('of stale drafts is free; that of a draft that expired before stays in use', async () => {
    const dropped = await draftOf(organisation)
    const expired = await draftOf(organisation, 100)
    await anUploadRow(service.database.system, organisation, { sizeBytes: 600, attachedTo: dropped })
    await anUploadRow(service.database.system, organisation, { sizeBytes: 400, attachedTo: expired })
    await service.database.moveClock(DRAFT_SECONDS + 1)
    expect(await inUse()).toMatchObject({ STORAGE_BYTES: 400 })
    await store(600)
    await expect(store(1)).rejects.toMatchObject({ quota: { current: 1_000 } })
  })
})
