// Requirements on an access token. Spec, Authentication; RFC 9068.
export const ORG_API_ROLE = 'org_api'
/** The `typ` header: other JWTs of this issuer cannot be used as access tokens (RFC 8725, 3.11). */
export const ACCESS_TOKEN_TYPE = 'at+jwt'
/** The allowed difference between two clocks. */
export const CLOCK_SKEW_SECONDS = 5
/** Longer tokens are rejected; an external issuer's token may carry many roles. */
export const MAX_TOKEN_CHARACTERS = 8_192

/** Seconds since the epoch, named like the claims. */
export interface TokenTimes {
  exp: number
  nbf?: number | undefined
  iat?: number | undefined
}

/** True from `nbf` and `iat` until `exp`, within the allowed skew. */
export function isCurrent({ exp, nbf, iat }: TokenTimes, now: Date): boolean {
  const seconds = now.getTime() / 1000
  return exp > seconds - CLOCK_SKEW_SECONDS && Math.max(nbf ?? 0, iat ?? 0) <= seconds + CLOCK_SKEW_SECONDS
}
