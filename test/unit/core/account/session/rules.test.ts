import { type Counter, failuresOf, pauseSeconds, waitSeconds } from '#core/account/session/rules.ts'
import { describe, expect, test } from 'vitest'

const counter = (overrides: Partial<Counter> = {}): Counter => ({
  kind: 'ACCOUNT',
  failures: 3,
  quietSeconds: 0,
  pausedSeconds: 0,
  ...overrides,
})

describe('the pause after a failed sign-in', () => {
  test('of an account starts with the fifth failure and doubles up to a quarter of an hour', () => {
    const pauses = Array.from({ length: 16 }, (_, failures) => pauseSeconds('ACCOUNT', failures))
    expect(pauses).toEqual([0, 0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900])
  })

  test('never grows beyond that, however many failures there were', () => {
    expect(pauseSeconds('ACCOUNT', 1_000_000)).toBe(900)
  })

  test('of an address, which many people may share, starts with the thirtieth failure', () => {
    expect([29, 30, 31].map((failures) => pauseSeconds('ADDRESS', failures))).toEqual([0, 5, 10])
  })

  test('allows no more tries in a day than NIST SP 800-63B-4 does: 100', () => {
    const day = 86_400
    let [seconds, tries] = [0, 0]
    while (seconds < day) seconds += Math.max(pauseSeconds('ACCOUNT', (tries += 1)), 0.1)
    expect(tries).toBeLessThan(110)
  })
})

describe('failures', () => {
  test.each([
    ['ACCOUNT', 24 * 3_600],
    ['DEVICE', 24 * 3_600],
    ['ADDRESS', 3_600],
  ] as const)('of %s count for %d quiet seconds and no longer', (kind, quietSeconds) => {
    expect(failuresOf(counter({ kind, quietSeconds: quietSeconds - 1 }))).toBe(3)
    expect(failuresOf(counter({ kind, quietSeconds }))).toBe(0)
  })
})

describe('the next try', () => {
  test.each([
    ['at once without a pause', [0, -5], 0],
    ['after the longest pause', [2, 30], 30],
    ['after whole seconds, never too early', [0.2], 1],
    ['at once without counters', [], 0],
  ])('comes %s', (_when, pauses, seconds) => {
    expect(waitSeconds(pauses.map((pausedSeconds) => counter({ pausedSeconds })))).toBe(seconds)
  })
})
