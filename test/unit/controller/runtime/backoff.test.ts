import { expect, test } from 'vitest'
import { backoffMs } from '../../../../controller/runtime/backoff.ts'

const limits = { firstMs: 1000, longestMs: 30_000 }

test.each([
  { failures: 1, least: 1000 },
  { failures: 2, least: 2000 },
  { failures: 5, least: 16_000 },
  { failures: 6, least: 30_000 },
  { failures: 5000, least: 30_000 },
])('after $failures failures the delay is $least ms plus up to a quarter', ({ failures, least }) => {
  expect(backoffMs(failures, limits, () => 0)).toBe(least)
  expect(backoffMs(failures, limits, () => 1)).toBe(least * 1.25)
})
