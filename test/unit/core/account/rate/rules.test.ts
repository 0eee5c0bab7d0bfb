import { nextBatch, plainRate, quotaRate, secondsPerToken } from '#core/account/rate/rules.ts'
import { describe, expect, test } from 'vitest'

// requirements: decisions/smaller/request quota
test('the request quota allows a fifth at once, rounded up; a rate allows its minute', () => {
  expect(quotaRate('requests', 600)).toEqual({ name: 'requests', perMinute: 600, burst: 120 })
  expect(quotaRate('requests', 3).burst).toBe(1)
  expect(plainRate('uploads', 60).burst).toBe(60)
})

test.each([
  [600, 1],
  [60, 1],
  [30, 2],
  [7, 9],
])('with %i per minute the next token comes within %i s', (perMinute, seconds) => {
  expect(secondsPerToken(plainRate('any', perMinute))).toBe(seconds)
})

describe('the next batch', () => {
  const used = { taken: 4, unused: 0, fresh: true }

  test('is one token at first', () => expect(nextBatch({ taken: 0, unused: 0, fresh: false }, 0, 1)).toBe(1))
  test('doubles when the last one was used up early', () => expect(nextBatch(used, 1_000, 1)).toBe(8))
  test('is what was used when the last one expired', () => {
    expect(nextBatch({ taken: 8, unused: 5, fresh: false }, 1_000, 1)).toBe(3)
    expect(nextBatch({ taken: 4, unused: 0, fresh: false }, 1_000, 1)).toBe(4)
  })
  test('is at most an eighth of what is left', () => expect(nextBatch(used, 40, 1)).toBe(5))
  test('is one of the last few tokens', () => expect(nextBatch(used, 7, 1)).toBe(1))
  test('is enough for all waiting requests', () => expect(nextBatch(used, 7, 20)).toBe(20))
  test('is at most 500', () => expect(nextBatch({ taken: 400, unused: 0, fresh: true }, 1_000_000, 1)).toBe(500))
})
