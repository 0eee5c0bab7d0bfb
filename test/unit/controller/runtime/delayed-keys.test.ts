import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newDelayedKeys } from '../../../../controller/runtime/delayed-keys.ts'
import { FakeRuntimeClock } from '../../../support/fake-runtime-clock.ts'

test('each key comes once, at the earliest of its times, in the order of the times', async () => {
  const adds = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 500 })), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(adds, async (entries) => {
      const clock = new FakeRuntimeClock()
      const seen: [string, number][] = []
      using delayed = newDelayedKeys(clock, (key) => seen.push([key, clock.elapsedMs()]))
      const earliest = new Map<string, number>()
      for (const [id, ms] of entries) {
        delayed.add(`k${id}`, ms)
        earliest.set(`k${id}`, Math.min(earliest.get(`k${id}`) ?? Infinity, ms))
      }
      expect(delayed.size).toBe(earliest.size)
      await clock.advance(500)
      expect(new Map(seen)).toEqual(earliest)
      expect(seen.length).toBe(earliest.size)
      expect(seen.map(([, at]) => at)).toEqual([...earliest.values()].sort((one, other) => one - other))
      expect(clock.pendingTimers).toBe(0)
    }),
    { numRuns: 30 },
  )
})

test('one timer serves all keys, and none is left after disposal', async () => {
  const clock = new FakeRuntimeClock()
  const seen: string[] = []
  const delayed = newDelayedKeys(clock, (key) => seen.push(key))
  for (let index = 0; index < 100; index++) delayed.add(`k${index}`, 1000 - index)
  expect(clock.pendingTimers).toBe(1)
  delayed[Symbol.dispose]()
  await clock.advance(2000)
  expect([seen, clock.pendingTimers]).toEqual([[], 0])
})
