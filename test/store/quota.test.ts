import { readSettings } from '#core/platform/config/read-settings.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { deferOverQuota, release, reserveInWindows, reserveOpenEnvelope, reserveStorage } from '#core/account/quota/reserve.ts'
import type { WindowDimension } from '#core/account/quota/rules.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anOrganisation, type Organisation, usageOf } from '../support/builders/rows.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let organisation: Organisation

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  organisation = await anOrganisation(database.system)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

/** A transaction that only counts. */
const counting = (count: (sql: Sql) => void) =>
  inTransaction(database.system, async (sql) => {
    count(sql)
  })

const settingsOf = (environment: Record<string, string>) => readSettings(environment).settings
const FIVE = settingsOf({ SEALWRIGHT_QUOTA_EMAILS_PER_HOUR: '5', SEALWRIGHT_QUOTA_ENVELOPES_SENT_PER_DAY: '5' })

/** Reserves in a separate transaction, like a request; undefined, or the error. */
async function reserve(dimension: WindowDimension, count = 1, { orgId } = organisation): Promise<DomainError | undefined> {
  try {
    await counting((sql) => reserveInWindows(sql, orgId, FIVE, { dimension, count }))
    return undefined
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

/** Moves the clock to so many seconds before the next window begins. */
async function moveBeforeEndOf(windowSeconds: number, seconds: number): Promise<void> {
  const now = Date.now() / 1000
  await database.moveClock(Math.ceil(now / windowSeconds) * windowSeconds - seconds - now)
}

describe.each([
  ['EMAILS_PER_HOUR', 3_600],
  ['ENVELOPES_SENT_PER_DAY', 86_400],
] as const)('the window of %s', (dimension, windowSeconds) => {
  test('grants its limit and then reports the use and when the next window starts', async () => {
    await moveBeforeEndOf(windowSeconds, 100)
    expect(await reserve(dimension, 4)).toBe(undefined)
    const refusal = await reserve(dimension, 2)
    expect(refusal).toMatchObject({ code: 'QUOTA_EXCEEDED', quota: { dimension, limit: 5, current: 4 } })
    expect(refusal?.retryAfterSeconds).toBeGreaterThan(90)
    expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(100)
    expect(await reserve(dimension, 1)).toBe(undefined)
    expect(await reserve(dimension, 1)).toMatchObject({ quota: { current: 5 } })
  })

  test('starts again with the UTC hour or day, not later', async () => {
    await moveBeforeEndOf(windowSeconds, 100)
    await reserve(dimension, 5)
    await moveBeforeEndOf(windowSeconds, 10)
    expect(await reserve(dimension)).toMatchObject({ code: 'QUOTA_EXCEEDED' })
    await moveBeforeEndOf(windowSeconds, -1)
    expect(await reserve(dimension, 5)).toBe(undefined)
    const [window] = await database.owner<{ startsAt: Date }[]>`
      select starts_at from quota_windows where org_id = ${organisation.orgId} order by starts_at desc limit 1`
    expect(window!.startsAt.getTime() % (windowSeconds * 1000)).toBe(0)
    expect((await databaseNow(database.system)).getTime() - window!.startsAt.getTime()).toBeLessThan(60_000)
  })

  test('belongs to one organisation', async () => {
    const other = await anOrganisation(database.system)
    await reserve(dimension, 5)
    expect(await reserve(dimension)).toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(await reserve(dimension, 5, other)).toBe(undefined)
  })
})

describe('a window', () => {
  test('is separate for each dimension', async () => {
    await reserve('EMAILS_PER_HOUR', 5)
    expect(await reserve('ENVELOPES_SENT_PER_DAY', 5)).toBe(undefined)
  })

  test('is exact when twenty take from it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => reserve('EMAILS_PER_HOUR')))
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(5)
    const [window] = await database.owner`select used from quota_windows where org_id = ${organisation.orgId}`
    expect(window!['used']).toBe(5)
  })

  test('gets back what a failed request took', async () => {
    const failed = inTransaction(database.system, async (sql) => {
      reserveInWindows(sql, organisation.orgId, FIVE, { dimension: 'EMAILS_PER_HOUR', count: 5 })
      throw new Error('later')
    })
    await expect(failed).rejects.toThrow('later')
    expect(await reserve('EMAILS_PER_HOUR', 5)).toBe(undefined)
  })

  test('is taken from together with another, in either order: no deadlock, and a full one leaves both unchanged', async () => {
    await moveBeforeEndOf(86_400, 100)
    const { orgId } = organisation
    const both = [
      { dimension: 'EMAILS_PER_HOUR', count: 2 },
      { dimension: 'ENVELOPES_SENT_PER_DAY', count: 1 },
    ] as const
    const take = (round: number) =>
      counting((sql) => reserveInWindows(sql, orgId, FIVE, ...(round % 2 ? both : both.toReversed())))
    const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, round) => take(round)))
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    expect(refusals).toHaveLength(18)
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ code: 'QUOTA_EXCEEDED', quota: { dimension: 'EMAILS_PER_HOUR', limit: 5, current: 4 } })
    const windows = await database.owner`select dimension, used from quota_windows where org_id = ${orgId} order by dimension`
    expect(windows.map(({ dimension, used }) => [dimension, used])).toEqual([
      ['EMAILS_PER_HOUR', 4],
      ['ENVELOPES_SENT_PER_DAY', 2],
    ])
  })

  test('with limit 0 grants everything', async () => {
    const off = settingsOf({ SEALWRIGHT_QUOTA_EMAILS_PER_HOUR: '0' })
    const { orgId } = organisation
    await counting((sql) => reserveInWindows(sql, orgId, off, { dimension: 'EMAILS_PER_HOUR', count: 1_000_000 }))
    expect(await reserve('EMAILS_PER_HOUR')).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  })
})

test('when several are full, the error names the first', async () => {
  const { orgId } = organisation
  const both = [
    { dimension: 'ENVELOPES_SENT_PER_DAY', count: 6 },
    { dimension: 'EMAILS_PER_HOUR', count: 7 },
  ] as const
  for (const named of [both, both.toReversed()]) {
    const refused = counting((sql) => reserveInWindows(sql, orgId, FIVE, ...named))
    await expect(refused).rejects.toMatchObject({ quota: { dimension: named[0].dimension, limit: 5, current: 0 } })
  }
})

test('emails that are counted concurrently, on both sides of a full hour, exceed no hour and do not deadlock', async () => {
  const { orgId } = organisation
  const book = () =>
    counting((sql) => deferOverQuota(sql, orgId, FIVE, [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]))
  const sets = [-1, 1].map(async (seconds) => {
    await moveBeforeEndOf(3_600, -seconds)
    await Promise.all(Array.from({ length: 20 }, book))
  })
  await Promise.all(sets)
  const windows = await database.owner`select used from quota_windows where org_id = ${orgId} order by starts_at`
  expect(Math.max(...windows.map(({ used }) => used))).toBe(5)
  expect(windows.reduce((sum, { used }) => sum + used, 0)).toBe(120)
})

describe('what is in use now', () => {
  test('is taken, refused above the limit and released', async () => {
    const settings = settingsOf({ SEALWRIGHT_QUOTA_STORAGE_BYTES: '6000000000', SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '1' })
    const { orgId } = organisation
    await counting((sql) => reserveStorage(sql, orgId, settings, 5_000_000_000))
    await expect(counting((sql) => reserveStorage(sql, orgId, settings, 1_000_000_001))).rejects.toMatchObject({
      quota: { dimension: 'STORAGE_BYTES', limit: 6_000_000_000, current: 5_000_000_000 },
    })
    await counting((sql) => reserveOpenEnvelope(sql, orgId, settings))
    await expect(counting((sql) => reserveOpenEnvelope(sql, orgId, settings))).rejects.toMatchObject({
      quota: { dimension: 'OPEN_ENVELOPES', limit: 1, current: 1 },
    })
    expect(await usageOf(database.system, organisation)).toEqual({ storageBytes: 5_000_000_000, openEnvelopes: 1 })
    await counting((sql) => release(sql, orgId, { storageBytes: 5_000_000_000, openEnvelopes: 1 }))
    expect(await usageOf(database.system, organisation)).toEqual({ storageBytes: 0, openEnvelopes: 0 })
  })

  test('can never be negative: a double release is an error', async () => {
    const { orgId } = organisation
    await expect(counting((sql) => release(sql, orgId, { openEnvelopes: 1 }))).rejects.toThrow('organisations_open_positive')
    await expect(counting((sql) => release(sql, orgId, { storageBytes: 1 }))).rejects.toThrow('organisations_storage_positive')
  })
})
