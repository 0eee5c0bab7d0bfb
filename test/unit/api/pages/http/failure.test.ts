import { describe, expect, test } from 'vitest'
import { codeOf, failureFromAnswer, NETWORK_FAILURE } from '../../../../../api/pages/http/failure.ts'

describe('a failed answer', () => {
  test('carries the code of the error body and the seconds of Retry-After', () => {
    const body = { status: 429, error: 'Too Many Requests', code: 'OTP_PAUSED', message: '', path: '', timestamp: '' }
    expect(failureFromAnswer(429, body, '3600')).toEqual({
      kind: 'answer',
      status: 429,
      code: 'OTP_PAUSED',
      retryAfterSeconds: 3600,
    })
  })

  test.each([undefined, null, 'text', 3, {}, { code: 7 }])('has an empty code when the body is %o', (body) => {
    expect(failureFromAnswer(502, body, null)).toEqual({ kind: 'answer', status: 502, code: '', retryAfterSeconds: undefined })
  })

  test.each(['', '-1', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '99999999999'])(
    'has no wait when Retry-After is "%s"',
    (header) => {
      expect(failureFromAnswer(503, undefined, header)).toMatchObject({ retryAfterSeconds: undefined })
    },
  )
})

test('no answer has no code', () => {
  expect(codeOf(NETWORK_FAILURE)).toBeUndefined()
})
