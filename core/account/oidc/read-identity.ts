// Exchanges the code that a browser brought back for what the provider says about the person. Everything about the tokens is checked by
// openid-client: state, PKCE, issuer, audience, signature, nonce, times.
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  type Configuration,
  fetchUserInfo,
  type IDToken,
  type UserInfoResponse,
} from 'openid-client'
import { z } from 'zod'
import type { Flow } from './flow.ts'

/** `UNAVAILABLE`: no answer from the provider. `DENIED`: the person, or the provider, said no. `INVALID`: whatever else is wrong with the answer. */
export type IdentityError = 'UNAVAILABLE' | 'DENIED' | 'INVALID'

export type Identity =
  | { kind: 'identity'; email: string; isVerified: boolean }
  | { kind: 'fault'; fault: IdentityError; reason: string }

// Some providers write the flag as text.
const Claims = z.object({ email: z.string(), email_verified: z.union([z.boolean(), z.stringbool()]).optional() })

/** What the provider says, or why that cannot be known; never throws for what came from outside. */
export async function readIdentity(provider: Configuration, callbackUrl: URL, flow: Flow): Promise<Identity> {
  try {
    const claims = Claims.safeParse(await fetchClaims(provider, callbackUrl, flow))
    if (!claims.success) return { kind: 'fault', fault: 'INVALID', reason: 'no e-mail address' }
    return { kind: 'identity', email: claims.data.email, isVerified: claims.data.email_verified === true }
  } catch (error) {
    return { kind: 'fault', fault: toFault(error), reason: toReason(error) }
  }
}

async function fetchClaims(
  provider: Configuration,
  callbackUrl: URL,
  flow: Flow,
): Promise<IDToken | UserInfoResponse | undefined> {
  const tokens = await authorizationCodeGrant(provider, callbackUrl, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  // With the code flow a provider may leave these to the userinfo endpoint (OpenID Connect Core 1.0, 5.4).
  return claims && claims['email'] === undefined ? fetchUserInfo(provider, tokens.access_token, claims.sub) : claims
}

function toFault(error: unknown): IdentityError {
  if (error instanceof AuthorizationResponseError) return 'DENIED'
  const isNetwork = error instanceof TypeError && error.message === 'fetch failed'
  return isNetwork || codeOf(error) === 'OAUTH_TIMEOUT' ? 'UNAVAILABLE' : 'INVALID'
}

/** For the log: what kind of fault, and nothing of what was sent. */
function toReason(error: unknown): string {
  const name = error instanceof Error ? error.name : 'unknown'
  return codeOf(error) ?? name
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
