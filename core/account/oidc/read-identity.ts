// Exchanges the browser's code for the provider's claims about the person. openid-client verifies the tokens: state, PKCE, issuer, audience,
// signature, nonce, times.
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  type Configuration,
  fetchUserInfo,
  type IDToken,
  type UserInfoResponse,
} from 'openid-client'
import { z } from 'zod'
import type { OidcAccount } from '#core/account/person/person.ts'
import type { Flow } from './flow.ts'

/** `UNAVAILABLE`: the provider did not respond. `DENIED`: the person or the provider declined. `INVALID`: any other error in the response. */
export type IdentityError = 'UNAVAILABLE' | 'DENIED' | 'INVALID'

export type Identity =
  | { kind: 'identity'; account: OidcAccount; email: string; isVerified: boolean }
  | { kind: 'error'; error: IdentityError; reason: string }

// Some providers write the flag as text.
const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  email: z.string(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
})

/** The claims, or the reason why they are unknown; never throws for input from outside. */
export async function readIdentity(provider: Configuration, callbackUrl: URL, flow: Flow): Promise<Identity> {
  try {
    const claims = Claims.safeParse(await fetchClaims(provider, callbackUrl, flow))
    if (!claims.success) return { kind: 'error', error: 'INVALID', reason: 'no e-mail address' }
    const { iss, sub, email, email_verified } = claims.data
    return { kind: 'identity', account: { issuer: iss, subject: sub }, email, isVerified: email_verified === true }
  } catch (error) {
    return { kind: 'error', error: toIdentityError(error), reason: toReason(error) }
  }
}

async function fetchClaims(
  provider: Configuration,
  callbackUrl: URL,
  flow: Flow,
): Promise<IDToken | (UserInfoResponse & { iss: string }) | undefined> {
  const tokens = await authorizationCodeGrant(provider, callbackUrl, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  // In the code flow a provider may leave these claims to the userinfo endpoint (OpenID Connect Core 1.0, 5.4).
  if (!claims || claims['email'] !== undefined) return claims
  return { ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)), iss: claims.iss, sub: claims.sub }
}

function toIdentityError(error: unknown): IdentityError {
  if (error instanceof AuthorizationResponseError) return 'DENIED'
  const isNetwork = error instanceof TypeError && error.message === 'fetch failed'
  return isNetwork || codeOf(error) === 'OAUTH_TIMEOUT' ? 'UNAVAILABLE' : 'INVALID'
}

/** For the log: the kind of error, without any received data. */
function toReason(error: unknown): string {
  const name = error instanceof Error ? error.name : 'unknown'
  return codeOf(error) ?? name
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
