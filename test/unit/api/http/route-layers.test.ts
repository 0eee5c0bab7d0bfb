import { describe, expect, test } from 'vitest'
import { ROUTES } from '../../../../api/routes/index.ts'

const named = ROUTES.map((route) => [route.operationId, route] as const)

describe('every route of the API declares', () => {
  test.each(named)('%s: its rate limits, and their error codes', (_name, route) => {
    if (!('rates' in route)) throw new Error('It is not counted.')
    expect(route.rates.length).toBeGreaterThan(0)
    expect(route.errors.includes('QUOTA_EXCEEDED')).toBe(route.rates.includes('requests') || route.operationId === 'requestOtp')
    expect(route.errors.includes('RATE_LIMITED')).toBe(route.rates.some((rate) => rate !== 'requests'))
  })

  test.each(named)('%s: whether it takes an Idempotency-Key', (_name, route) => {
    const due = route.audience.startsWith('organisation') && route.method === 'post'
    expect('idempotent' in route && route.idempotent).toBe(due)
    expect(route.errors.includes('IDEMPOTENCY_KEY_REUSED')).toBe(due)
    expect(route.errors.includes('IDEMPOTENCY_IN_PROGRESS')).toBe(due)
  })

  test.each(named)('%s: who may get a stored response again', (_name, route) => {
    if (!('idempotent' in route && route.idempotent)) return
    expect('authorizeReplay' in route).toBe(true)
  })

  test.each(named)('%s: each code once', (_name, { errors }) => {
    expect(errors.toSorted()).toEqual([...new Set(errors)].toSorted())
  })
})
