import {
  assertActable,
  assertMaySendCode,
  assertNotPaused,
  assertOtpPermission,
  assertReadable,
  assertViewed,
  isLive,
  isWithinLastView,
  linkExpiry,
  type LinkState,
} from '#core/envelope/ceremony/rules.ts'
import { ENVELOPE_STATUSES, type EnvelopeStatus } from '#core/envelope/rules.ts'
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { answerOf, refusalOf } from '../../../../support/clients/answer-of.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const at = (ms: number) => new Date(NOW.getTime() + ms)
const HOUR_MS = 3_600_000

const LIVE: LinkState = {
  signerStatus: 'SENT',
  releasedAt: at(-HOUR_MS),
  expiresAt: at(HOUR_MS),
  revokedAt: null,
  otpVerifiedAt: null,
  otpPausedUntil: null,
  lastViewedAt: null,
}

type Answer = ErrorCode | undefined
const NOT_FOUND = 'SIGNING_LINK_NOT_FOUND'
const NOT_OPEN = 'ENVELOPE_NOT_OPEN'

interface Gate {
  link: LinkState
  /** Reading the link while the envelope is SENT or IN_PROGRESS, and when it is COMPLETED. In every other status it is not found. */
  read: [whileOpen: Answer, completed: Answer]
  /** Acting on the link, likewise. In every other status the answer is ENVELOPE_NOT_OPEN. */
  act: [whileOpen: Answer, completed: Answer]
}

const usable: Omit<Gate, 'link'> = { read: [undefined, NOT_FOUND], act: [undefined, NOT_OPEN] }
const dead: Omit<Gate, 'link'> = { read: [NOT_FOUND, NOT_FOUND], act: [NOT_FOUND, NOT_OPEN] }
const used: Omit<Gate, 'link'> = { read: [undefined, undefined], act: ['ALREADY_SIGNED', 'ALREADY_SIGNED'] }

const GATES: Record<string, Gate> = {
  live: { link: LIVE, ...usable },
  viewed: { link: { ...LIVE, signerStatus: 'VIEWED', lastViewedAt: at(-1) }, ...usable },
  'one millisecond before its end': { link: { ...LIVE, expiresAt: at(1) }, ...usable },
  'at its end': { link: { ...LIVE, expiresAt: NOW }, ...dead },
  revoked: { link: { ...LIVE, revokedAt: at(-1) }, ...dead },
  'not yet due': {
    link: { ...LIVE, signerStatus: 'PENDING', releasedAt: null, expiresAt: null },
    read: [NOT_FOUND, NOT_FOUND],
    act: ['NOT_YOUR_TURN', NOT_OPEN],
  },
  'used to sign': { link: { ...LIVE, signerStatus: 'SIGNED' }, ...used },
  'used to sign, its time over': { link: { ...LIVE, signerStatus: 'SIGNED', expiresAt: at(-1) }, ...used },
}

function answerIn(status: EnvelopeStatus, [whileOpen, completed]: [Answer, Answer], otherwise: Answer): Answer {
  if (status === 'SENT' || status === 'IN_PROGRESS') return whileOpen
  return status === 'COMPLETED' ? completed : otherwise
}

describe.each(Object.entries(GATES))('a link that is %s', (_, { link, read, act }) => {
  test.each(ENVELOPE_STATUSES)('of an envelope that is %s', (status) => {
    const envelope = { status, otpRequired: false, now: NOW }
    expect(answerOf(() => assertReadable(link, envelope))).toBe(answerIn(status, read, NOT_FOUND))
    expect(answerOf(() => assertActable(link, envelope))).toBe(answerIn(status, act, NOT_OPEN))
  })
})

describe('permission by a one-time code', () => {
  test.each([
    ['is not required without codes', false, null, undefined],
    ['is required before a code', true, null, 'OTP_REQUIRED'],
    ['is granted at once', true, 0, undefined],
    ['lasts for 30 minutes', true, -(30 * 60_000 - 1), undefined],
    ['is over after 30 minutes', true, -30 * 60_000, 'OTP_REQUIRED'],
  ])('%s', (_, otpRequired, verifiedMs, answer) => {
    const link = { ...LIVE, otpVerifiedAt: verifiedMs === null ? null : at(verifiedMs) }
    expect(answerOf(() => assertOtpPermission(link, { status: 'SENT', otpRequired, now: NOW }))).toBe(answer)
  })
})

describe('the view gate', () => {
  test('opens with the documents', () => {
    expect(answerOf(() => assertViewed(LIVE))).toBe('VIEW_REQUIRED')
    expect(answerOf(() => assertViewed({ ...LIVE, lastViewedAt: at(-1) }))).toBe(undefined)
  })
})

describe('opening the documents again', () => {
  test.each([
    ['counts when they were never open', null, false],
    ['does not count at once', 0, true],
    ['does not count for 30 s', -29_999, true],
    ['counts after 30 s', -30_000, false],
    ['does not count after a concurrent view that began later', 5, true],
  ])('%s', (_, viewedMs, within) => {
    const link = { ...LIVE, lastViewedAt: viewedMs === null ? null : at(viewedMs) }
    expect(isWithinLastView(link, { status: 'SENT', otpRequired: false, now: NOW }, 30)).toBe(within)
  })
})

describe('a pause after too many wrong codes', () => {
  const envelope = { status: 'SENT', otpRequired: true, now: NOW } as const
  const until = (otpPausedUntil: Date | null) => () => assertNotPaused({ ...LIVE, otpPausedUntil }, envelope)

  test.each([
    ['never existed', null],
    ['ends now', NOW],
    ['is over', at(-1)],
  ])('that %s blocks nothing', (_, pausedUntil) => {
    expect(answerOf(until(pausedUntil))).toBe(undefined)
  })

  test.each([
    ['an hour', HOUR_MS, 3_600],
    ['a second and a half', 1_500, 2],
    ['a millisecond', 1, 1],
  ])('of %s says when it ends, never too early', (_, ms, seconds) => {
    expect(refusalOf(until(at(ms)))).toMatchObject({ code: 'OTP_PAUSED', retryAfterSeconds: seconds })
  })
})

describe('sending another code', () => {
  const sent = (lastHour: number, lastDay: number) => ({ lastHour, lastDay, hourFreesInSeconds: 40, dayFreesInSeconds: 50_000 })

  test.each([
    ['the first', sent(0, 0), undefined],
    ['the fifth within an hour', sent(4, 4), undefined],
    ['the tenth within a day', sent(0, 9), undefined],
  ])('%s is allowed', (_, counts, answer) => {
    expect(answerOf(() => assertMaySendCode(counts))).toBe(answer)
  })

  test.each([
    ['the sixth within an hour', sent(5, 5), 40],
    ['the eleventh within a day', sent(0, 10), 50_000],
    ['both: the day counts, because it frees up later', sent(5, 10), 50_000],
    ['with a time that has just come', { ...sent(5, 5), hourFreesInSeconds: 0 }, 1],
    ['with a day that has just passed', { ...sent(0, 10), dayFreesInSeconds: 0 }, 1],
  ])('%s is refused with the time of the next attempt', (_, counts, retryAfterSeconds) => {
    expect(refusalOf(() => assertMaySendCode(counts))).toMatchObject({ code: 'OTP_SEND_LIMIT', retryAfterSeconds })
  })
})

describe('a code', () => {
  test.each([
    [false, 0.001, true],
    [false, 0, false],
    [false, -1, false],
    [true, 600, false],
  ])('closed: %s, with %d seconds left: live %s', (isClosed, expiresInSeconds, live) => {
    expect(isLive({ isClosed, expiresInSeconds })).toBe(live)
  })
})

describe('the end of a link', () => {
  test.each([
    ['after its own life', 3_600, null, at(HOUR_MS)],
    ['after its own life, if the envelope lives longer', 3_600, at(HOUR_MS + 1), at(HOUR_MS)],
    ['with the envelope, if that ends first', 3_600, at(HOUR_MS - 1), at(HOUR_MS - 1)],
  ])('%s', (_, ttlSeconds, envelopeEnd, end) => {
    expect(linkExpiry(NOW, ttlSeconds, envelopeEnd)).toEqual(end)
  })

  test('is never after that of the envelope', () => {
    const dates = fc.date({ min: NOW, max: new Date('2030-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_160 * 3_600 }), dates, (ttlSeconds, envelopeEnd) => {
        expect(+linkExpiry(NOW, ttlSeconds, envelopeEnd)).toBe(Math.min(+at(ttlSeconds * 1000), +envelopeEnd))
      }),
    )
  })
})
