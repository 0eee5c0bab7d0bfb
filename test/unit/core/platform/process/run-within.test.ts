// Synchronous work with a time limit.
import { expect, test } from 'vitest'
import { runWithin, TimeLimitError } from '#core/platform/process/run-within.ts'

test('the result is the one of the work, and so is the error', () => {
  const value = { some: 'value' }
  expect(runWithin(1000, () => value)).toBe(value)
  expect(runWithin(1000, () => undefined)).toBeUndefined()
  const error = new RangeError('wrong')
  expect(() => runWithin(1000, () => raise(error))).toThrow(error)
})

test.each([
  ['a loop', () => spin()],
  ['a loop that catches everything', () => spinOn()],
  ['a regular expression', () => /^(?:a+)+$/.test(`${'a'.repeat(50)}b`)],
])('%s without an end is ended', (_, work) => {
  expect(() => runWithin(50, work)).toThrow(new TimeLimitError('It takes longer than 0.05 s.'))
})

function raise(error: Error): never {
  throw error
}

function spin(): never {
  for (;;);
}

function spinOn(): never {
  for (;;) {
    try {
      spin()
    } catch {
      // The next round.
    }
  }
}
