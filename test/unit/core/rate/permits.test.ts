import { openPermits, type Permits } from '#core/rate/permits.ts'
import { quotaRate } from '#core/rate/rules.ts'
import type { Sql } from '#core/postgres/client.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const RATE = quotaRate('requests', 600)

/** Every question to the database, and what is left there. */
let asked: { wanted: number; returned: number }[]
let left: number
let fails: boolean
let permits: Permits

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  asked = []
  left = 1_000_000
  fails = false
  permits = openPermits(database())
})
afterEach(() => vi.useRealTimers())

function database(): Sql {
  const answer = async (_text: TemplateStringsArray, ...values: number[]) => {
    const [wanted = 0, returned = 0] = values.slice(3)
    asked.push({ wanted, returned })
    await Promise.resolve()
    if (fails) throw new Error('The database is away.')
    left += returned
    const granted = Math.min(wanted, left)
    left -= granted
    return [{ granted, remaining: left, recent: 0, retryAfterMs: granted > 0 ? 0 : 2_000 }]
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- permits are taken by one statement
  return answer as unknown as Sql
}

const take = (subject = 'one') => permits.take(RATE, subject)

describe('a process', () => {
  test('asks the database for few of many requests', async () => {
    for (let index = 0; index < 10_000; index++) await take()
    expect(asked.length).toBeLessThan(40)
    expect(asked.slice(0, 4)).toEqual([1, 2, 4, 8].map((wanted) => ({ wanted, returned: 0 })))
  })

  test('asks once for all who come meanwhile', async () => {
    const verdicts = await Promise.all(Array.from({ length: 300 }, () => take()))
    expect(verdicts.every(({ granted }) => granted)).toBe(true)
    expect(asked).toEqual([
      { wanted: 1, returned: 0 },
      { wanted: 299, returned: 0 },
    ])
  })

  test('gives back what it has not used within a second', async () => {
    for (let index = 0; index < 5; index++) await take()
    vi.advanceTimersByTime(1_001)
    await take()
    expect(asked.at(-1)).toEqual({ wanted: 2, returned: 2 })
  })

  test('believes a refusal for a fifth of a second, and tells the whole wait', async () => {
    left = 0
    expect(await take()).toMatchObject({ granted: false, retryAfterMs: 2_000 })
    vi.advanceTimersByTime(199)
    expect(await take()).toMatchObject({ granted: false, retryAfterMs: 1_801 })
    expect(asked).toHaveLength(1)
    left = 1
    vi.advanceTimersByTime(2)
    expect(await take()).toMatchObject({ granted: true })
  })

  test('refuses all who wait for permits that are not there', async () => {
    left = 7
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => take()))
    expect(verdicts.filter(({ granted }) => granted)).toHaveLength(7)
  })

  test('lets nobody pass while the database is away, and asks again for the next', async () => {
    fails = true
    const verdicts = await Promise.allSettled([take(), take(), take()])
    expect(verdicts.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    fails = false
    expect(await take()).toMatchObject({ granted: true })
  })

  test('remembers ten thousand buckets and forgets the least recently used one', async () => {
    for (let index = 0; index < 4; index++) await take('first') // one of a lot of four is used
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
