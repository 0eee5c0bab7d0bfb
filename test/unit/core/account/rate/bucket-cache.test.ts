import { openBucketCache, type BucketCache, type Verdict } from '#core/account/rate/bucket-cache.ts'
import { plainRate, quotaRate } from '#core/account/rate/rules.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const RATE = quotaRate('requests', 600)
const NARROW = plainRate('narrow', 60)

/** Every take of every query, the number of queries, and what is left in the database. */
let asked: { wanted: number; returned: number }[]
let questions: number
let left: number
/** The rate that has nothing left. */
let drained: number | undefined
let fails: boolean
let cache: BucketCache

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  asked = []
  questions = 0
  left = 1_000_000
  drained = undefined
  fails = false
  cache = openBucketCache(database())
})
afterEach(() => vi.useRealTimers())

function database(): Sql {
  const answer = async (takes: readonly FakeTake[]) => {
    questions++
    asked.push(...takes.map(({ wanted, returned }) => ({ wanted, returned })))
    await Promise.resolve()
    if (fails) throw new Error('The database is away.')
    return takes.map(({ perMinute, wanted, returned }) => {
      left += returned
      const granted = perMinute === drained ? 0 : Math.min(wanted, left)
      left -= granted
      return { granted, remaining: left, recent: 0, retryAfterMs: granted > 0 ? 0 : 2_000 }
    })
  }
  // A take is a fragment of the statement, which consists of fragments.
  const statement = (text: TemplateStringsArray, ...values: unknown[]) => {
    if (text.join('').includes('take_permits')) return [{ perMinute: values[1], wanted: values[3], returned: values[4] }]
    const takes = values.flat() as FakeTake[]
    return text.join('') === '' ? answer(takes) : takes
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tokens are taken by one statement
  return statement as unknown as Sql
}

interface FakeTake {
  perMinute: number
  wanted: number
  returned: number
}

const take = async (subject = 'one'): Promise<Verdict> => (await cache.take({ rate: RATE, subject }))[0]!

describe('a process', () => {
  test('queries the database for few of many requests', async () => {
    for (let index = 0; index < 10_000; index++) await take()
    expect(asked.length).toBeLessThan(40)
    expect(asked.slice(0, 4)).toEqual([1, 2, 4, 8].map((wanted) => ({ wanted, returned: 0 })))
  })

  test('sends one query for all concurrent requests', async () => {
    const verdicts = await Promise.all(Array.from({ length: 300 }, () => take()))
    expect(verdicts.every(({ granted }) => granted)).toBe(true)
    expect(asked).toEqual([
      { wanted: 1, returned: 0 },
      { wanted: 299, returned: 0 },
    ])
  })

  test('returns unused tokens after a second', async () => {
    for (let index = 0; index < 5; index++) await take()
    vi.advanceTimersByTime(1_001)
    await take()
    expect(asked.at(-1)).toEqual({ wanted: 2, returned: 2 })
  })

  test('returns no tokens that are so old that their bucket is full again', async () => {
    for (let index = 0; index < 5; index++) await take()
    vi.advanceTimersByTime(3_000)
    await take()
    expect(asked.at(-1)).toMatchObject({ returned: 0 })
  })

  test('caches a refusal for a fifth of a second, and reports the whole wait', async () => {
    left = 0
    expect(await take()).toMatchObject({ granted: false, retryAfterMs: 2_000 })
    vi.advanceTimersByTime(199)
    expect(await take()).toMatchObject({ granted: false, retryAfterMs: 1_801 })
    expect(asked).toHaveLength(1)
    left = 1
    vi.advanceTimersByTime(2)
    expect(await take()).toMatchObject({ granted: true })
  })

  test('refuses all requests that wait for missing tokens', async () => {
    left = 7
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => take()))
    expect(verdicts.filter(({ granted }) => granted)).toHaveLength(7)
  })

  test('sends one query for two buckets of a request when both need one', async () => {
    const both = [
      { rate: RATE, subject: 'one' },
      { rate: NARROW, subject: 'two' },
    ]
    expect(await cache.take(...both)).toMatchObject([{ granted: true }, { granted: true }])
    expect([questions, asked]).toEqual([1, [1, 1].map((wanted) => ({ wanted, returned: 0 }))])
    await cache.take(...both)
    await cache.take(both[0]!)
    await cache.take(...both) // of the first, one of a batch of two is left
    expect(questions).toBe(3)
  })

  test('uses no token of the second bucket when the first refuses', async () => {
    drained = RATE.perMinute
    const second = { rate: NARROW, subject: 'two' }
    expect(await cache.take({ rate: RATE, subject: 'one' }, second)).toMatchObject([{ granted: false }])
    expect(await cache.take({ rate: RATE, subject: 'one' }, second)).toMatchObject([{ granted: false }])
    expect([questions, asked.length]).toEqual([1, 2])
    expect(await cache.take(second)).toMatchObject([{ granted: true }])
    expect(questions).toBe(1)
  })

  test('fails requests while the database is unavailable, and retries for the next', async () => {
    fails = true
    const verdicts = await Promise.allSettled([take(), take(), take()])
    expect(verdicts.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    fails = false
    expect(await take()).toMatchObject({ granted: true })
  })

  test('keeps ten thousand buckets and evicts the least recently used one', async () => {
    for (let index = 0; index < 4; index++) await take('first') // one of a batch of four is used
    for (let stranger = 0; stranger < 9_999; stranger++) await take(`stranger ${stranger}`)
    asked = []
    await take('first')
    expect(asked).toEqual([])
    for (let stranger = 0; stranger < 10_000; stranger++) await take(`another ${stranger}`)
    asked = []
    await take('first')
    expect(asked).toEqual([{ wanted: 1, returned: 0 }])
  })
})
