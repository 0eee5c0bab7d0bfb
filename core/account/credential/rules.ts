// What an access token must say. Spec, Authentication; RFC 9068.
export const ORG_API_ROLE = 'org_api'
/** The `typ` header: keeps other JWTs of this issuer from passing as access tokens (RFC 8725, 3.11). */
export const ACCESS_TOKEN_TYPE = 'at+jwt'
/** How far two clocks may be apart. */
export const CLOCK_SKEW_SECONDS = 5
/** Longer ones are no tokens; an outside issuer's may carry many roles. */
export const MAX_TOKEN_CHARACTERS = 8_192

/** Seconds since the epoch, as the claims of these names. */
export interface TokenTimes {
  exp: number
  nbf?: number | undefined
  iat?: number | undefined
}

/** True from `nbf` and `iat` until `exp`, give or take the allowed skew. */
export function isCurrent({ exp, nbf, iat }: TokenTimes, now: Date): boolean {
  const seconds = now.getTime() / 1000
  return exp > seconds - CLOCK_SKEW_SECONDS && Math.max(nbf ?? 0, iat ?? 0) <= seconds + CLOCK_SKEW_SECONDS
}
