// Counts a request against its route's limits first and reports them in headers (draft-ietf-httpapi-ratelimit-headers). Without the
// database it answers 503.
import type { Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { openBucketCache, type Verdict } from '#core/account/rate/bucket-cache.ts'
import { type Rate, secondsPerToken } from '#core/account/rate/rules.ts'
import type { Response } from 'express'
import { type RateName, RATES, type Requester } from './rates.ts'

/** Counts one request and sets the RateLimit headers. Throws QUOTA_EXCEEDED or RATE_LIMITED, before the request has any effect. */
export type RateLimiter = (names: readonly RateName[], requester: Requester, response: Response) => Promise<void>

/** The limiter that all routes of this process share. */
export function openRateLimiter({ database, settings }: Pick<Core, 'database' | 'settings'>): RateLimiter {
  const cache = openBucketCache(database)
  const policies = new Map(Object.entries(RATES).map(([name, { of }]) => [name, toPolicy(of(settings))]))
  return async (names, requester, response) => {
    const claims = names.flatMap((name) => {
      const rate = RATES[name].of(settings)
      const subject = RATES[name].subject(requester)
      return rate.perMinute === 0 || subject === undefined ? [] : [{ name, rate, subject }]
    })
    const verdicts = await cache.take(...claims)
    const headers: { policy: string; state: string }[] = []
    for (const [place, { name, rate }] of claims.entries()) {
      const verdict = verdicts[place]
      if (!verdict) break
      const retryAfterSeconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000))
      const readySeconds = verdict.granted ? secondsPerToken(rate) : retryAfterSeconds
      headers.push({ policy: policies.get(name) ?? '', state: `"${name}";r=${verdict.remaining};t=${readySeconds}` })
      response.setHeader('RateLimit-Policy', headers.map(({ policy }) => policy).join(', '))
      response.setHeader('RateLimit', headers.map(({ state }) => state).join(', '))
      if (!verdict.granted) throw toLimitError(name, rate, verdict, retryAfterSeconds)
    }
  }
}

function toPolicy({ name, perMinute, burst }: Rate): string {
  return `"${name}";q=${perMinute};w=60;sealwright-burst=${burst}`
}

function toLimitError(name: RateName, { perMinute }: Rate, { recent }: Verdict, retryAfterSeconds: number): DomainError {
  const { message, quota: dimension } = RATES[name]
  if (!dimension) return new DomainError('RATE_LIMITED', { message, retryAfterSeconds })
  return new DomainError('QUOTA_EXCEEDED', {
    message,
    quota: { dimension, limit: perMinute, current: recent },
    retryAfterSeconds,
  })
}
