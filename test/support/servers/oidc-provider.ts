// An identity provider on this machine: oidc-provider, with people who are signed in on arrival. Everything else is unmodified.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ClientAuthMethod, Provider } from 'oidc-provider'
import { vi } from 'vitest'
import { freePort } from '../../../hack/servers/free-port.ts'

export interface IdentityProvider extends AsyncDisposable {
  issuer: string
  clientId: string
  clientSecret: string
  /** The person at the browser. */
  person: { email: string; email_verified: boolean; sub?: string }
  /** Denies every sign-in. */
  denies: boolean
  /** Stops answering, as if it were down. */
  stop(): Promise<void>
}

const CLIENT = { clientId: 'sealwright', clientSecret: 'a-secret-of-this-test-and-of-nothing-else' }

interface ProviderOptions {
  atPort?: number
  /** The only authentication method that it accepts from the client. */
  clientAuthentication?: ClientAuthMethod
}

/** Starts one that knows a service with this public URL. */
export async function identityProvider(
  publicUrl: string,
  { atPort, clientAuthentication = 'client_secret_basic' }: ProviderOptions = {},
): Promise<IdentityProvider> {
  const port = atPort ?? (await freePort())
  const issuer = `http://127.0.0.1:${port}`
  const running: IdentityProvider = {
    issuer,
    ...CLIENT,
    person: { email: 'nobody@example.test', email_verified: true },
    denies: false,
    stop: () => close(),
    [Symbol.asyncDispose]: () => close(),
  }
  const provider = newProvider(running, publicUrl, clientAuthentication)
  const callback = provider.callback()
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, running, request, response)
    else void callback(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let closing: Promise<void> | undefined
  function close(): Promise<void> {
    closing ??= new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return closing
  }
  return running
}

function newProvider(running: IdentityProvider, publicUrl: string, clientAuthentication: ClientAuthMethod): Provider {
  // It warns on the console about settings that are right for a test: temporary keys and sessions.
  for (const kind of ['info', 'warn'] as const) vi.spyOn(console, kind).mockReturnValue()
  return new Provider(running.issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${publicUrl}/settings/oidc/callback`],
        token_endpoint_auth_method: clientAuthentication,
      },
    ],
    clientAuthMethods: [clientAuthentication],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of this test'] },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...running.person, sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
}

async function interact(provider: Provider, running: IdentityProvider, request: IncomingMessage, response: ServerResponse) {
  const result = running.denies
    ? { error: 'access_denied' }
    : { login: { accountId: running.person.sub ?? `account of ${running.person.email}` } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/** Follows the provider's redirects as a browser does, up to the address at the service. */
export async function walkThrough(provider: Pick<IdentityProvider, 'issuer'>, authorizationUrl: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = authorizationUrl
  for (let steps = 0; steps < 10 && url.startsWith(`${provider.issuer}/`); steps++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { Cookie: cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`The provider stopped with ${response.status}: ${(await response.text()).slice(0, 500)}`)
    url = new URL(location, url).href
  }
  return url
}
