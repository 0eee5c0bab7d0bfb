import { describe, expect, test } from 'vitest'
import { describeFailure } from '#core/webhook/request/describe-failure.ts'
import type { FailureCode } from '#core/webhook/failure.ts'
import { deDeliveries } from '../../../../../../api/pages/settings/locales/de-webhooks.ts'
import { enDeliveries } from '../../../../../../api/pages/settings/locales/en-webhooks.ts'
import { deliveryListPath } from '../../../../../../api/pages/settings/webhooks/deliveries/delivery-search.ts'
import { failureSentence } from '../../../../../../api/pages/settings/webhooks/deliveries/failure-sentence.ts'
import { instantOf, localInputOf } from '../../../../../../api/pages/settings/webhooks/deliveries/local-time.ts'
import { prettyJson } from '../../../../../../api/pages/settings/webhooks/deliveries/pretty-json.ts'
import { barsOf, totalOf } from '../../../../../../api/pages/settings/webhooks/last-day.ts'
import { addressOfUrl } from '../../../../../../api/pages/settings/webhooks/webhook-address.ts'

describe('the address of a webhook', () => {
  test.each([
    ['https://erp.example.com/', 'erp.example.com', ''],
    ['https://erp.example.com:8443/hooks?tenant=1', 'erp.example.com:8443', '/hooks?tenant=1'],
    [`https://a.example/${'x'.repeat(60)}`, 'a.example', `/${'x'.repeat(23)}…${'x'.repeat(23)}`],
    ['no address', 'no address', ''],
  ])('%s is shown as %s and %s', (url, host, path) => {
    expect(addressOfUrl(url)).toEqual({ host, path })
  })
})

describe('the last 24 hours', () => {
  const hours = [
    { delivered: 0, failed: 0 },
    { delivered: 998, failed: 2 },
    { delivered: 250, failed: 250 },
  ]

  test('have bars in proportion to the busiest hour, in which a single failure is visible', () => {
    const [empty, busy, half] = barsOf(hours)
    expect(empty).toEqual({ delivered: 0, failed: 0 })
    expect(busy!.failed).toBeGreaterThan(0.1)
    expect(busy!.failed + busy!.delivered).toBeCloseTo(1)
    expect(half).toEqual({ delivered: 0.25, failed: 0.25 })
    expect(totalOf(hours)).toEqual({ delivered: 1248, failed: 252 })
  })

  test('without deliveries have no bars', () => {
    expect(barsOf([{ delivered: 0, failed: 0 }])).toEqual([{ delivered: 0, failed: 0 }])
  })
})

describe('the path of the history', () => {
  test.each([
    [{ status: 'GAVE_UP', eventType: 'signer.signed', page: 1 }, '?page=1&size=20&status=GAVE_UP&eventType=signer.signed'],
    [{ status: 'constructor', eventType: 'nothing', page: 0 }, '?page=0&size=20'],
  ])('of %o is %s', (filter, search) => {
    expect(deliveryListPath('h1', filter)).toBe(`/webhooks/h1/deliveries${search}`)
  })
})

// A record by code: a new code of the service does not compile until it is here.
const CODES: Record<FailureCode, true> = {
  HTTP_STATUS: true,
  URL_NOT_ALLOWED: true,
  ADDRESS_NOT_ALLOWED: true,
  NAME_NOT_FOUND: true,
  NAME_LOOKUP_FAILED: true,
  CONNECTION_REFUSED: true,
  CONNECTION_RESET: true,
  HOST_UNREACHABLE: true,
  CONNECT_TIMEOUT: true,
  TLS_EXPIRED: true,
  TLS_NOT_YET_VALID: true,
  TLS_WRONG_HOST: true,
  TLS_UNTRUSTED: true,
  TLS_FAILED: true,
  TIMEOUT: true,
  BAD_RESPONSE: true,
  ABORTED: true,
}
/** The panel has one sentence for every rule. */
const DETAILS: Partial<Record<FailureCode, string>> = { HTTP_STATUS: '503', TLS_EXPIRED: '2026-10-01' }

describe('a failed attempt', () => {
  test.each(Object.keys(CODES) as FailureCode[])('with the code %s has the sentence of the service in both languages', (code) => {
    const detail = DETAILS[code]
    const failure = { code, ...(detail !== undefined && { detail }) }
    const sentences = [enDeliveries, deDeliveries].map(({ errors }) =>
      failureSentence(errors, { errorCode: code, errorDetail: detail }),
    )
    expect(sentences).toEqual([describeFailure(failure, 'en'), describeFailure(failure, 'de')])
  })

  test('without the day of its certificate has a sentence without it', () => {
    expect(failureSentence(deDeliveries.errors, { errorCode: 'TLS_EXPIRED' })).toBe('Das TLS-Zertifikat ist abgelaufen.')
  })

  test('with an unknown code has none', () => {
    expect(failureSentence(deDeliveries.errors, { errorCode: 'constructor' })).toBeUndefined()
  })
})

describe('the start of a replay', () => {
  test('is local in its field and UTC in the request', () => {
    const time = new Date('2026-11-25T13:05:00.000Z')
    expect(instantOf(localInputOf(time))).toBe(time.toISOString())
    expect(localInputOf(time)).toMatch(/^2026-11-2\dT\d\d:05$/)
    expect(instantOf('')).toBeUndefined()
  })
})

test('a body is formatted for reading if it is JSON', () => {
  expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(prettyJson('{"a":')).toBe('{"a":')
})
