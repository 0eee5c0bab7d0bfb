import { describe, expect, test } from 'vitest'
import { deadlineAfter, formatSeconds, secondsLeft } from '../../../../../api/pages/components/countdown.ts'

describe('a countdown', () => {
  test('starts at the seconds it was given and is over exactly at its deadline', () => {
    const deadline = deadlineAfter(60, 1_000)
    expect(secondsLeft(deadline, 1_000)).toBe(60)
    expect(secondsLeft(deadline, 1_001)).toBe(60)
    expect(secondsLeft(deadline, deadline - 1)).toBe(1)
    expect(secondsLeft(deadline, deadline)).toBe(0)
    expect(secondsLeft(deadline, deadline + 5_000)).toBe(0)
  })

  test('of a negative time is over at once', () => {
    expect(secondsLeft(deadlineAfter(-5, 1_000), 1_000)).toBe(0)
  })
})

test.each([
  [0, '0:00'],
  [9, '0:09'],
  [60, '1:00'],
  [3599, '59:59'],
  [3600, '1:00:00'],
  [86_399, '23:59:59'],
])('%d seconds read %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})
