import { expect, test } from 'vitest'
import { newTokenBucket } from '../../../../controller/runtime/token-bucket.ts'
import { FakeRuntimeClock } from '../../../support/fake-runtime-clock.ts'

test('gives the burst at once, then one token per interval, and never saves more than the burst', () => {
  const clock = new FakeRuntimeClock()
  const bucket = newTokenBucket({ burst: 2, everyMs: 1000 }, clock)
  const take = (times: number) => Array.from({ length: times }, () => bucket.tryTake())
  expect(take(3)).toEqual([true, true, false])
  clock.pause(1000)
  expect(take(2)).toEqual([true, false])
  clock.pause(3_600_000)
  expect(take(3)).toEqual([true, true, false])
})

test('a reservation beyond the burst is due when its token is', () => {
  const bucket = newTokenBucket({ burst: 1, everyMs: 100 }, new FakeRuntimeClock())
  expect([bucket.reserve(), bucket.reserve(), bucket.reserve()]).toEqual([0, 100, 200])
})
