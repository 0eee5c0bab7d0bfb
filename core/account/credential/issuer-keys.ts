// The public keys of external issuers, fetched on demand. However many tokens arrive, an issuer gets few requests: one in ten minutes for its keys,
// one in half a minute for an unknown key id, one in five seconds while it does not respond.
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { isTrustworthyUrl, type TrustedIssuer } from '#core/platform/config/trusted-issuers.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'

const ANSWER_WITHIN_MS = 3_000
const ASK_UNKNOWN_KEY_EVERY_MS = 30_000
const KEEP_KEYS_MS = 600_000
const PAUSE_AFTER_FAILURE_SECONDS = 5

type KeySet = ReturnType<typeof createRemoteJWKSet>
type Fetch = (url: string | URL, options: RequestInit) => Promise<Response>

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.string().refine(isTrustworthyUrl) })

const known = new WeakMap<TrustedIssuer, JWTVerifyGetKey>()

/** Finds the key of a token, for jose. Throws SERVICE_UNAVAILABLE when the issuer does not respond, and jose's error for an unknown key. */
export function issuerKeys(issuer: TrustedIssuer): JWTVerifyGetKey {
  const keys = known.get(issuer) ?? openKeys(issuer)
  known.set(issuer, keys)
  return keys
}

function openKeys(issuer: TrustedIssuer): JWTVerifyGetKey {
  let opening: Promise<KeySet> | undefined
  let pausedUntilMs = 0
  const ask: Fetch = (url, options) => {
    if (performance.now() < pausedUntilMs) throw new Error('The issuer did not answer a moment ago.')
    return fetch(url, options)
  }
  const fail = (cause: unknown) => {
    const now = performance.now()
    if (now >= pausedUntilMs) pausedUntilMs = now + PAUSE_AFTER_FAILURE_SECONDS * 1_000
    return unavailable(cause)
  }
  return async (header, token) => {
    opening ??= openKeySet(issuer, ask)
    const keySet = await opening.catch((error: unknown) => {
      opening = undefined
      throw fail(error)
    })
    try {
      return await keySet(header, token)
    } catch (error) {
      if (isTokenError(error)) throw error
      // The address of the keys may have changed: it is looked up again unless the cached keys are still fresh.
      if (!keySet.fresh) opening = undefined
      throw fail(error)
    }
  }
}

async function openKeySet(issuer: TrustedIssuer, ask: Fetch): Promise<KeySet> {
  const url = new URL(issuer.jwksUri ?? (await discover(issuer.issuer, ask)))
  return createRemoteJWKSet(url, {
    timeoutDuration: ANSWER_WITHIN_MS,
    cooldownDuration: ASK_UNKNOWN_KEY_EVERY_MS,
    cacheMaxAge: KEEP_KEYS_MS,
    [customFetch]: ask,
  })
}

/** OpenID Connect Discovery 1.0, section 4, or else RFC 8414, section 3. Both documents must name the issuer itself. */
async function discover(issuer: string, ask: Fetch): Promise<string> {
  const base = issuer.replace(/\/$/, '')
  const { origin, pathname } = new URL(base)
  const options = (): RequestInit => ({ redirect: 'manual', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  let response = await ask(`${base}/.well-known/openid-configuration`, options())
  if (response.status === 404) {
    response = await ask(`${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`, options())
  }
  const metadata = Metadata.parse(await response.json())
  if (metadata.issuer !== issuer) throw new Error(`The metadata of ${issuer} names another issuer.`)
  return metadata.jwks_uri
}

function isTokenError(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}

function unavailable(cause: unknown): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', {
    message: 'The issuer of the access token is not responding. Try again.',
    retryAfterSeconds: PAUSE_AFTER_FAILURE_SECONDS,
    cause,
  })
}
