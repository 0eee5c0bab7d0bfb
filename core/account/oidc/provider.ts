// The identity provider of the installation: found by its issuer when it is first needed, so that the service starts without it.
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

/** Of every request to the provider. */
const TIMEOUT_SECONDS = 5
/** How long its metadata are taken for current. Its keys are looked up anew whenever a token names one that is not known. */
const FRESH_FOR_MS = 3_600_000

interface Found {
  configuration: Promise<Configuration>
  foundAtMs: number
}

const found = new WeakMap<Core['settings'], Found>()

/** The provider as it describes itself. Throws SERVICE_UNAVAILABLE when it does not answer or describes another issuer; the next call asks again. */
export async function findProvider(core: Pick<Core, 'database' | 'settings'>): Promise<Configuration> {
  const { settings } = core
  const copy = found.get(settings)
  const fresh = copy && performance.now() - copy.foundAtMs < FRESH_FOR_MS ? copy : seek(core)
  try {
    return await fresh.configuration
  } catch (cause) {
    if (found.get(settings) === fresh) found.delete(settings)
    throw new DomainError('SERVICE_UNAVAILABLE', { message: 'The identity provider cannot be reached. Try again.', cause })
  }
}

/** One look-up for all who ask meanwhile. */
function seek({ database, settings }: Pick<Core, 'database' | 'settings'>): Found {
  const configuration = currentTime(database).then((now) => discover(settings, now))
  const seeking = { configuration, foundAtMs: performance.now() }
  found.set(settings, seeking)
  return seeking
}

async function discover({ oidcIssuer, oidcClientId, oidcClientSecret }: Core['settings'], now: Date): Promise<Configuration> {
  if (!oidcIssuer || !oidcClientId || !oidcClientSecret) throw new Error('No identity provider is set.')
  const issuer = new URL(oidcIssuer)
  const secret = oidcClientSecret.reveal()
  // Times in tokens are held against the database's clock, not against that of this process.
  const times = { [clockTolerance]: CLOCK_SKEW_SECONDS, [clockSkew]: Math.round((now.getTime() - Date.now()) / 1000) }
  return discovery(issuer, oidcClientId, times, authenticateWith(secret), {
    timeout: TIMEOUT_SECONDS,
    // The settings let plain HTTP pass for this machine alone.
    execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
  })
}

/** HTTP Basic, which is the default of OpenID Connect (Discovery 1.0, 3), unless the provider takes only the other. */
function authenticateWith(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (provider, client, body, headers) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? basic : post
    authenticate(provider, client, body, headers)
  }
}
