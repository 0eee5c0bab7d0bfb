import { type ErrorCode, ERRORS } from '#core/platform/errors/codes.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { ForbiddenError } from '#core/account/workspace/forbidden.ts'
import { describe, expect, test } from 'vitest'

const CODES = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS)

describe('the catalogue', () => {
  test.each(CODES)('%s has a stable name and a complete sentence', (code) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    expect(ERRORS[code].message).toMatch(/^\w.{10,}\.$/)
  })

  test('has a different sentence for each code', () => {
    expect(new Set(CODES.map((code) => ERRORS[code].message)).size).toBe(CODES.length)
  })
})

describe('a domain error', () => {
  test('has the sentence of the catalogue', () => {
    const error = new DomainError('NO_SIGNERS')
    expect(error).toMatchObject({ name: 'DomainError', code: 'NO_SIGNERS', kind: 'rule', message: ERRORS.NO_SIGNERS.message })
    expect([error.quota, error.retryAfterSeconds, error.cause]).toEqual([undefined, undefined, undefined])
    expect('cause' in error).toBe(false)
  })

  test('may have a more exact sentence and further details', () => {
    const cause = new Error('lost')
    const quota = { dimension: 'STORAGE_BYTES', limit: 10, current: 9 }
    const error = new DomainError('QUOTA_EXCEEDED', { message: 'Full.', quota, retryAfterSeconds: 60, cause })
    expect(error).toMatchObject({ code: 'QUOTA_EXCEEDED', kind: 'limit', message: 'Full.', quota, retryAfterSeconds: 60, cause })
  })

  test('differs from a missing permission', () => {
    expect(new ForbiddenError('envelope:send')).toMatchObject({ name: 'ForbiddenError', permission: 'envelope:send' })
    expect(new ForbiddenError('envelope:send')).not.toBeInstanceOf(DomainError)
  })
})
