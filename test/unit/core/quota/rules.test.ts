import { fits, QUOTA_WINDOWS } from '#core/quota/rules.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('a quota', () => {
  test.each([
    ['is kept below its limit', 10, 9, true],
    ['can be used up', 10, 10, true],
    ['is exceeded by one', 10, 11, false],
    ['of 0 is switched off', 0, 1_000_000, true],
    ['of 1 takes the first', 1, 1, true],
    ['of 1 takes no second', 1, 2, false],
  ])('%s', (_, limit, used, answer) => {
    expect(fits(limit, used)).toBe(answer)
  })

  test('of n takes exactly n', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 2_000 }), (limit, asked) => {
        const taken = Array.from({ length: asked }, (_, index) => index + 1).filter((used) => fits(limit, used))
        expect(taken).toHaveLength(Math.min(limit, asked))
      }),
    )
  })

  test('starts anew each day or hour as its name says', () => {
    expect(QUOTA_WINDOWS).toEqual({ ENVELOPES_SENT_PER_DAY: 'day', EMAILS_PER_HOUR: 'hour' })
  })
})
