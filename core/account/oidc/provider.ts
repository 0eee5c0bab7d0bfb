// The installation's identity provider: discovered on demand, so that the service starts without it.
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  clockSkew,
  clockTolerance,
  discovery,
} from 'openid-client'
import type { Core } from '#core/context.ts'
import { CLOCK_SKEW_SECONDS } from '#core/account/credential/rules.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { currentTime } from '#core/platform/postgres/clock.ts'

/** For every request to the provider. */
const TIMEOUT_SECONDS = 5
/** How long its metadata are cached. Its keys are fetched again whenever a token names an unknown one. */
const FRESH_FOR_MS = 3_600_000

interface Found {
  configuration: Promise<Configuration>
  foundAtMs: number
}

const found = new WeakMap<Core['settings'], Found>()

/** The provider's metadata. Throws SERVICE_UNAVAILABLE when it does not respond or names another issuer; the next call tries again. */
export async function findProvider(core: Pick<Core, 'database' | 'settings'>): Promise<Configuration> {
  const { settings } = core
  const copy = found.get(settings)
  const fresh = copy && performance.now() - copy.foundAtMs < FRESH_FOR_MS ? copy : findOnce(core)
  try {
    return await fresh.configuration
  } catch (cause) {
    if (found.get(settings) === fresh) found.delete(settings)
    throw new DomainError('SERVICE_UNAVAILABLE', { message: 'The identity provider cannot be reached. Try again.', cause })
  }
}

/** One discovery for all concurrent callers. */
function findOnce({ database, settings }: Pick<Core, 'database' | 'settings'>): Found {
  const configuration = currentTime(database).then((now) => discover(settings, now))
  const seeking = { configuration, foundAtMs: performance.now() }
  found.set(settings, seeking)
  return seeking
}

async function discover({ oidcIssuer, oidcClientId, oidcClientSecret }: Core['settings'], now: Date): Promise<Configuration> {
  if (!oidcIssuer || !oidcClientId || !oidcClientSecret) throw new Error('No identity provider is set.')
  const issuer = new URL(oidcIssuer)
  const secret = oidcClientSecret.reveal()
  // Times in tokens are compared with the database clock, not with this process's.
  const times = { [clockTolerance]: CLOCK_SKEW_SECONDS, [clockSkew]: Math.round((now.getTime() - Date.now()) / 1000) }
  return discovery(issuer, oidcClientId, times, authenticateWith(secret), {
    timeout: TIMEOUT_SECONDS,
    // The settings allow plain HTTP on this machine only.
    execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
  })
}

/** HTTP Basic, the default of OpenID Connect (Discovery 1.0, 3), unless the provider supports only client_secret_post. */
function authenticateWith(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (provider, client, body, headers) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? basic : post
    authenticate(provider, client, body, headers)
  }
}
