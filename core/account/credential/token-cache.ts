// Caches tokens whose signature and claims were verified, so that a client's next request skips that. Times are checked at every use; entries live
// one minute at most, which limits how long a withdrawn key is still accepted.
import { hash } from 'node:crypto'
import type { CredentialId, OrgId } from '#core/ids.ts'
import type { TokenTimes } from './rules.ts'

const MOST_TOKENS = 10_000
const KEEP_MS = 60_000

export type TokenHolder =
  | { kind: 'own'; orgId: OrgId; credentialId: CredentialId; clientId: string }
  | { kind: 'outside'; issuer: string; orgId: OrgId; clientId: string }
  | { kind: 'without role' }

export interface VerifiedToken {
  times: TokenTimes
  holder: TokenHolder
}

const caches = new WeakMap<object, Map<string, { token: VerifiedToken; checkedAtMs: number }>>()

/** The result of `read` for this token, now or within the last minute; invalid tokens are not cached. `scope` owns the entries, because a token is
 *  only valid for the settings it was checked against. */
export async function verifiedOnce(
  scope: object,
  token: string,
  read: () => Promise<VerifiedToken | undefined>,
): Promise<VerifiedToken | undefined> {
  const cache = caches.get(scope) ?? new Map<string, { token: VerifiedToken; checkedAtMs: number }>()
  caches.set(scope, cache)
  const key = hash('sha256', token, 'base64url')
  const known = cache.get(key)
  if (known && performance.now() - known.checkedAtMs < KEEP_MS) return known.token
  cache.delete(key)
  const verified = await read()
  if (!verified) return undefined
  cache.set(key, { token: verified, checkedAtMs: performance.now() })
  const [oldest] = cache.keys()
  if (cache.size > MOST_TOKENS && oldest !== undefined) cache.delete(oldest)
  return verified
}
