import { createHash } from 'node:crypto'
import { countRequests } from '#core/account/quota/count-requests.ts'
import { API_REQUESTS } from '#core/account/quota/rules.ts'
import { newId, OrgId } from '#core/ids.ts'
import { deleteIdleBuckets } from '#core/account/rate/delete-idle-buckets.ts'
import { openBucketCache } from '#core/account/rate/bucket-cache.ts'
import { plainRate, quotaRate } from '#core/account/rate/rules.ts'
import { type Take, takeTokens, type Taken } from '#core/account/rate/store.ts'
import { fc, runs } from '../support/builders/properties.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => clockAt('2026-06-01 12:00:00'))

/** Stops the clock of this database, so that the refill is known to the token. */
async function clockAt(time: string): Promise<void> {
  await database.owner.unsafe(
    `create or replace function sealwright_now() returns timestamptz language sql stable as 'select timestamptz ''${time}+00'''`,
  )
}

const RATE = quotaRate('requests', 600)
const newSubject = () => newId(OrgId)
const take = (subject: string, wanted: number, returned = 0) => takeFrom({ rate: RATE, subject, wanted, returned })

async function takeFrom(one: Take): Promise<Taken> {
  const [taken] = await takeTokens(database.api, one)
  return taken!
}

describe('a bucket', () => {
  test('grants its burst and reports when there will be more', async () => {
    const subject = newSubject()
    expect(await take(subject, 100)).toEqual({ granted: 100, remaining: 20, recent: 100, retryAfterMs: 0 })
    expect(await take(subject, 100)).toEqual({ granted: 20, remaining: 0, recent: 120, retryAfterMs: 100 })
    expect(await take(subject, 1)).toEqual({ granted: 0, remaining: 0, recent: 120, retryAfterMs: 100 })
  })

  test('refills with its rate and never beyond its burst', async () => {
    const subject = newSubject()
    await take(subject, 120)
    await clockAt('2026-06-01 12:00:00.099')
    expect(await take(subject, 5)).toMatchObject({ granted: 0, retryAfterMs: 1 })
    await clockAt('2026-06-01 12:00:03')
    expect(await take(subject, 500)).toMatchObject({ granted: 30 })
    await clockAt('2026-06-01 13:00:00')
    expect(await take(subject, 500)).toMatchObject({ granted: 120 })
  })

  test('accepts returned tokens, and no more than its burst', async () => {
    const subject = newSubject()
    await take(subject, 120)
    expect(await take(subject, 10, 8)).toMatchObject({ granted: 8, recent: 120 })
    await clockAt('2026-06-01 12:05:00')
    expect(await take(subject, 500, 100)).toMatchObject({ granted: 120 })
  })

  test('is not blocked by a clock that was set back', async () => {
    const subject = newSubject()
    await clockAt('2026-06-01 18:00:00')
    await take(subject, 120)
    await clockAt('2026-06-01 12:00:00')
    expect(await take(subject, 1)).toMatchObject({ granted: 0, retryAfterMs: 100 })
    await clockAt('2026-06-01 12:00:00.1')
    expect(await take(subject, 1)).toMatchObject({ granted: 1 })
  })

  test.each([1, 7, 11, 60, 999_999])('with %i per minute grants exactly its burst, one by one', async (perMinute) => {
    const rate = plainRate(`rate-${perMinute}`, perMinute)
    const depth = Math.min(perMinute, 60)
    const first = await takeFrom({ rate, subject: 'x', wanted: perMinute - depth, returned: 0 })
    expect(first.granted).toBe(perMinute - depth)
    const granted = []
    for (let count = 0; count <= depth; count++)
      granted.push((await takeFrom({ rate, subject: 'x', wanted: 1, returned: 0 })).granted)
    expect(granted).toEqual([...Array.from({ length: depth }, () => 1), 0])
  })

  test('matches the model of a token bucket for any order of calls', async () => {
    const moves = fc.array(fc.record({ afterMs: fc.nat(5_000), wanted: fc.nat(60), returned: fc.nat(10) }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(30, 600, 6_000), moves, async (perMinute, steps) => {
        const subject = newSubject()
        const rate = quotaRate('requests', perMinute)
        const stepMs = 60_000 / perMinute
        let [nowMs, levelMs, out] = [Date.UTC(2026, 5, 1), rate.burst * stepMs, 0]
        for (const { afterMs, wanted, returned: some } of steps) {
          const returned = Math.min(some, out)
          nowMs += afterMs
          await clockAt(new Date(nowMs).toISOString().slice(0, -1))
          const taken = await takeFrom({ rate, subject, wanted, returned })
          levelMs = Math.min(rate.burst * stepMs, levelMs + afterMs + returned * stepMs)
          const granted = Math.min(wanted, Math.floor(levelMs / stepMs))
          levelMs -= granted * stepMs
          out += granted - returned
          expect(taken).toMatchObject({ granted, remaining: Math.floor(levelMs / stepMs) })
          expect(taken.retryAfterMs).toBe(Math.max(0, stepMs - levelMs))
        }
      }),
      { numRuns: runs(15) },
    )
  })

  test('reports the use of the last 60 seconds', async () => {
    const orgId = newSubject()
    const rate = quotaRate(API_REQUESTS, 600)
    expect(await countRequests(database.api, orgId)).toBe(0)
    await takeFrom({ rate, subject: orgId, wanted: 40, returned: 0 })
    expect(await countRequests(database.api, orgId)).toBe(40)
    await clockAt('2026-06-01 12:01:15')
    expect(await countRequests(database.api, orgId)).toBe(30)
    expect(await takeFrom({ rate, subject: orgId, wanted: 2, returned: 0 })).toMatchObject({ recent: 32 })
    await clockAt('2026-06-01 12:03:00')
    expect(await countRequests(database.api, orgId)).toBe(0)
  })

  test('has its own result when several are taken together', async () => {
    const [one, other] = [newSubject(), newSubject()]
    await take(one, 119)
    const takes = [one, other, one].map((subject) => ({ rate: RATE, subject, wanted: 1, returned: 0 }))
    const taken = await takeTokens(database.api, takes[0]!, ...takes.slice(1))
    expect(taken.map(({ granted, remaining }) => [granted, remaining])).toEqual([
      [1, 0],
      [1, 119],
      [0, 0],
    ])
  })

  test('is deleted once it has long been full, and only then', async () => {
    const [idle, busy] = [newSubject(), newSubject()]
    await database.owner`truncate rates`
    await take(idle, 1)
    await clockAt('2026-06-01 12:10:00')
    await take(busy, 1)
    expect(await deleteIdleBuckets({ database: database.system })).toBe(1)
    expect(await deleteIdleBuckets({ database: database.system })).toBe(0)
    const kept = await database.owner`select key from rates`
    expect(kept.map((row) => row['key'])).toEqual([createHash('sha256').update(`requests ${busy}`).digest()])
  })

  test('can neither be read nor reset by the API', async () => {
    await expect(database.api`select * from rates`).rejects.toThrow('permission denied')
    await expect(database.api`delete from rates`).rejects.toThrow('permission denied')
  })
})

describe('two processes on one database', () => {
  async function burst(rate: ReturnType<typeof quotaRate>, subject: string, each: number): Promise<number> {
    const processes = [openBucketCache(database.api), openBucketCache(database.api)]
    const verdicts = await Promise.all(
      processes.flatMap((cache) => Array.from({ length: each }, () => cache.take({ rate, subject }))),
    )
    return verdicts.flat().filter(({ granted }) => granted).length
  }

  test('grant a parallel burst exactly', async () => {
    const subject = newSubject()
    expect(await burst(RATE, subject, 300)).toBe(120)
    await clockAt('2026-06-01 12:00:03')
    expect(await burst(RATE, subject, 300)).toBe(30)
  })

  test('grant two parallel bursts exactly when each request is counted twice', async () => {
    const [all, each] = [plainRate('all', 300), plainRate('each', 60)]
    const subject = newSubject()
    const processes = [openBucketCache(database.api), openBucketCache(database.api)]
    const granted = { all: 0, each: [0, 0, 0, 0] }
    const request = async (index: number) => {
      const claims = [
        { rate: all, subject },
        { rate: each, subject: `${subject} ${index % 4}` },
      ]
      const [first, second] = await processes[Math.floor(index / 4) % 2]!.take(...claims)
      if (first!.granted) granted.all++
      if (second?.granted) granted.each[index % 4]!++
    }
    await Promise.all(Array.from({ length: 600 }, (_, index) => request(index)))
    expect(granted.all).toBe(300)
    // A process whose first bucket refused may keep one token of the second for its next request.
    for (const count of granted.each) expect([59, 60]).toContain(count)
  })

  test('share the last tokens in any order of requests', async () => {
    const subject = newSubject()
    const processes = [openBucketCache(database.api), openBucketCache(database.api)]
    let granted = 0
    for (let index = 0; index < 400; index++) {
      const [verdict] = await processes[index % 7 === 0 ? 0 : 1]!.take({ rate: RATE, subject })
      if (verdict!.granted) granted++
    }
    expect(granted).toBe(120)
  })
})
