// Sends a browser to the identity provider: code flow with PKCE, state and nonce (OpenID Connect Core 1.0, 3.1; RFC 9700, 2.1.1).
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Core } from '#core/context.ts'
import { sealFlow } from './flow.ts'
import { findProvider } from './provider.ts'

export const CALLBACK_PATH = '/settings/oidc/callback'

export interface Departure {
  /** The provider's URL for the browser. */
  url: string
  /** The state that the browser keeps meanwhile. */
  flow: string
}

/** `returnTo`: the panel's path after the sign-in. Throws SERVICE_UNAVAILABLE when the provider does not respond. */
export async function beginSignIn(
  core: Pick<Core, 'database' | 'keys' | 'settings'>,
  { returnTo }: { returnTo: string },
): Promise<Departure> {
  const provider = await findProvider(core)
  const [state, nonce, codeVerifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
  const url = buildAuthorizationUrl(provider, {
    redirect_uri: core.settings.publicUrl + CALLBACK_PATH,
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, flow: await sealFlow(core, { state, nonce, codeVerifier, returnTo }) }
}
