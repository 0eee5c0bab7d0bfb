import {
  assertDocumentCount,
  assertExpiryInRange,
  assertSendable,
  assertSignerCount,
  ENVELOPE_STATUSES,
  type EnvelopeAction,
  type EnvelopeStatus,
  computeLapsesAt,
  nextStatus,
  statusAfterSend,
} from '#core/envelope/rules.ts'
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { fc } from '../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { answerOf } from '../../../support/clients/answer-of.ts'

type Answer = EnvelopeStatus | ErrorCode
const NOT_DRAFT = 'ENVELOPE_NOT_DRAFT'
const SENT_BEFORE = 'ENVELOPE_ALREADY_SENT'
const NOT_OPEN = 'ENVELOPE_NOT_OPEN'
const NOT_CANCELLABLE = 'ENVELOPE_NOT_CANCELLABLE'

/** Where each action leads from DRAFT, SENT, IN_PROGRESS, COMPLETED, CANCELLED and EXPIRED, or why it is refused. Spec, "States and transitions". */
const TABLE = new Map<EnvelopeAction, readonly Answer[]>([
  ['edit', ['DRAFT', NOT_DRAFT, NOT_DRAFT, NOT_DRAFT, NOT_DRAFT, NOT_DRAFT]],
  ['send', ['SENT', SENT_BEFORE, SENT_BEFORE, SENT_BEFORE, SENT_BEFORE, SENT_BEFORE]],
  ['sign', [NOT_OPEN, 'IN_PROGRESS', 'IN_PROGRESS', NOT_OPEN, NOT_OPEN, NOT_OPEN]],
  ['complete', [NOT_OPEN, NOT_OPEN, 'COMPLETED', NOT_OPEN, NOT_OPEN, NOT_OPEN]],
  ['cancel', [NOT_CANCELLABLE, 'CANCELLED', 'CANCELLED', NOT_CANCELLABLE, NOT_CANCELLABLE, NOT_CANCELLABLE]],
  ['expire', ['EXPIRED', 'EXPIRED', 'EXPIRED', NOT_OPEN, NOT_OPEN, NOT_OPEN]],
])
const ACTIONS = [...TABLE.keys()]
const CELLS = [...TABLE].flatMap(([action, answers]) =>
  ENVELOPE_STATUSES.map((status, at) => [action, status, answers[at]] as const),
)

describe('the transition table', () => {
  test.each(CELLS)('%s on %s: %s', (action, status, answer) => {
    expect(answerOf(() => nextStatus(action, status))).toBe(answer)
  })

  test('an envelope that has ended stays unchanged, whatever actions follow in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ACTIONS), { maxLength: 30 }), (actions) => {
        let status: EnvelopeStatus = 'DRAFT'
        let ended = false
        for (const action of actions) {
          const answer = answerOf(() => nextStatus(action, status))
          const moved = ENVELOPE_STATUSES.find((name) => name === answer)
          expect(ended && moved !== undefined).toBe(false)
          status = moved ?? status
          ended = ['COMPLETED', 'CANCELLED', 'EXPIRED'].includes(status)
        }
      }),
    )
  })

  // requirements: decisions/envelopes/lone signer
  test('a lone signer passes SENT, IN_PROGRESS and COMPLETED', () => {
    expect(nextStatus('complete', nextStatus('sign', nextStatus('send', 'DRAFT')))).toBe('COMPLETED')
  })
})

describe('the status after send', () => {
  test.each([
    ['DRAFT', false, 'SENT'],
    ['EXPIRED', false, 'ENVELOPE_NOT_DRAFT'],
    ['EXPIRED', true, 'ENVELOPE_ALREADY_SENT'],
    ['SENT', true, 'ENVELOPE_ALREADY_SENT'],
    ['IN_PROGRESS', true, 'ENVELOPE_ALREADY_SENT'],
    ['COMPLETED', true, 'ENVELOPE_ALREADY_SENT'],
    ['CANCELLED', true, 'ENVELOPE_ALREADY_SENT'],
  ] as const)('of %s, sent before: %s, is %s', (status, wasSent, answer) => {
    expect(answerOf(() => statusAfterSend(status, wasSent))).toBe(answer)
  })
})

describe('the limits of an envelope', () => {
  test.each([
    ['a signer and a document', 1, 1, undefined],
    ['no signer', 0, 1, 'NO_SIGNERS'],
    ['no document', 1, 0, 'NO_DOCUMENTS'],
    ['neither', 0, 0, 'NO_SIGNERS'],
  ] as const)('with %s', (_, signers, documents, answer) => {
    expect(answerOf(() => assertSendable(signers, documents))).toBe(answer)
  })

  test.each([
    ['50 signers', () => assertSignerCount(50), undefined],
    ['51 signers', () => assertSignerCount(51), 'TOO_MANY_SIGNERS'],
    ['20 documents', () => assertDocumentCount(20), undefined],
    ['21 documents', () => assertDocumentCount(21), 'TOO_MANY_DOCUMENTS'],
  ] as const)('with %s', (_, rule, answer) => {
    expect(answerOf<void>(rule)).toBe(answer)
  })
})

describe('the expiry', () => {
  const now = new Date('2026-11-21T10:00:00.000Z')
  const year = 366 * 86_400_000

  test.each([
    ['just within five minutes', 299_999, 'EXPIRY_OUT_OF_RANGE'],
    ['in exactly five minutes', 300_000, undefined],
    ['in exactly 366 days', year, undefined],
    ['just beyond 366 days', year + 1, 'EXPIRY_OUT_OF_RANGE'],
    ['now', 0, 'EXPIRY_OUT_OF_RANGE'],
    ['in the past', -86_400_000, 'EXPIRY_OUT_OF_RANGE'],
  ] as const)('%s', (_, aheadMs, answer) => {
    expect(answerOf(() => assertExpiryInRange(new Date(now.getTime() + aheadMs), now, 300))).toBe(answer)
  })

  test('has the minimum distance that the installation sets', () => {
    expect(answerOf(() => assertExpiryInRange(new Date(now.getTime() + 2_000), now, 2))).toBe(undefined)
    expect(answerOf(() => assertExpiryInRange(new Date(now.getTime() + 2_000), now, 3))).toBe('EXPIRY_OUT_OF_RANGE')
  })
})

describe('the automatic expiry', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 10, day))

  test.each([
    ['without an expiry and without links: never', null, [], null],
    ['at its own expiry', at(5), [], at(5)],
    ['when its only open link expires', null, [at(3)], at(3)],
    ['when the last open link expires', null, [at(3), at(7), at(4)], at(7)],
    ['at its own expiry, if links live longer', at(5), [at(3), at(7)], at(5)],
    ['with the last link, if that is before its expiry', at(9), [at(3), at(7)], at(7)],
  ])('%s', (_, expiresAt, links, lapse) => {
    expect(computeLapsesAt(expiresAt, links)).toEqual(lapse)
  })

  test('is never after the expiry, and never before a link that can still be used up to then', () => {
    const dates = fc.date({ noInvalidDate: true })
    fc.assert(
      fc.property(fc.option(dates), fc.array(dates, { minLength: 1, maxLength: 50 }), (expiresAt, links) => {
        const lapse = computeLapsesAt(expiresAt, links)
        expect(lapse).not.toBeNull()
        expect([expiresAt, ...links].some((end) => end?.getTime() === lapse?.getTime())).toBe(true)
        for (const link of links) expect(+lapse!).toBeGreaterThanOrEqual(Math.min(+link, expiresAt ? +expiresAt : Infinity))
        if (expiresAt) expect(+lapse!).toBeLessThanOrEqual(+expiresAt)
      }),
    )
  })
})
