import { describe, expect, test } from 'vitest'
import { codeEntryAfter, digitsOf, recallCodeEntry } from '../../../../../../api/pages/signing/code/code-entry.ts'

const NOW_MS = 1_000_000
const MAILED = {
  challengeId: 'challenge-1',
  codeUnusable: false,
  expiresInSeconds: 600,
  resendAvailableInSeconds: 60,
  resent: true,
  message: '',
}

describe('after asking for a code', () => {
  test('a mailed one opens its challenge until it expires, and a further one after the cool-down', () => {
    expect(codeEntryAfter(MAILED, NOW_MS)).toEqual({
      challenge: { challengeId: 'challenge-1', expiresAtMs: NOW_MS + 600_000, resendAtMs: NOW_MS + 60_000 },
      resendAtMs: NOW_MS + 60_000,
      delivery: 'sent',
    })
  })

  test('inside the cool-down it says that the earlier one counts', () => {
    const entry = codeEntryAfter({ ...MAILED, resent: false, resendAvailableInSeconds: 12 }, NOW_MS)
    expect(entry).toMatchObject({
      delivery: 'sent-earlier',
      resendAtMs: NOW_MS + 12_000,
      challenge: { challengeId: 'challenge-1' },
    })
  })

  test('a dead code leaves nothing to type into, but the wait for the next', () => {
    const dead = {
      ...MAILED,
      challengeId: null,
      codeUnusable: true,
      expiresInSeconds: 0,
      resendAvailableInSeconds: 30,
      resent: false,
    }
    expect(codeEntryAfter(dead, NOW_MS)).toEqual({ challenge: undefined, resendAtMs: NOW_MS + 30_000, delivery: 'unusable' })
  })
})

describe('after a reload', () => {
  const remembered = { challengeId: 'challenge-1', expiresAtMs: NOW_MS + 1, resendAtMs: NOW_MS - 5 }

  test('a living challenge takes its code', () => {
    expect(recallCodeEntry(remembered, NOW_MS)).toMatchObject({ challenge: remembered, delivery: 'sent' })
  })

  test('an expired one does not', () => {
    expect(recallCodeEntry(remembered, NOW_MS + 1)).toMatchObject({ challenge: undefined, delivery: undefined })
  })

  test('without any, no code was asked for', () => {
    expect(recallCodeEntry(undefined, NOW_MS)).toEqual({ challenge: undefined, resendAtMs: undefined, delivery: undefined })
  })
})

test.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  [' 12-34-56\n', '123456'],
  ['Your code: 123456.', '123456'],
  ['1234567890', '123456'],
  ['12ab', '12'],
])('of "%s" the digits %s are taken', (text, digits) => {
  expect(digitsOf(text)).toBe(digits)
})
