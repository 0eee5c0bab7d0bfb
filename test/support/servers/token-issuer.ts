// An external issuer of access tokens, shaped like a Keycloak realm: discovery, keys, tokens, and its possible failures.
import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

export interface TokenIssuer extends AsyncDisposable {
  issuer: string
  /** Requests for its keys since the start. */
  keyRequests: number
  /** Every request since the start. */
  requests: number
  /** How it answers from now on. */
  mode: 'well' | 'failing' | 'silent'
  /** Where its metadata is: at OpenID Connect's path, RFC 8414's path, or nowhere. */
  metadataAt: 'openid' | 'oauth' | 'nowhere'
  /** The issuer that its metadata names, when it differs. */
  impostor?: string
  key: CryptoKey
  /** Creates another key, published beside the first if requested. */
  addKey(algorithm: string, options: { publish: boolean }): Promise<{ kid: string; key: CryptoKey }>
  /** A signed token; by default like that of a Keycloak service account. */
  token(claims: JWTPayload, header?: { alg?: string; kid?: string; typ?: string }, key?: CryptoKey): Promise<string>
}

/** Starts one on a free port of this machine. `path`: issuers often have one, for example `/realms/acme`. */
export async function startTokenIssuer(path = '/realms/acme'): Promise<TokenIssuer> {
  const published: JWK[] = []
  const server = createServer((request, response) => {
    it.requests++
    if (it.mode === 'silent') return
    if (it.mode === 'failing') {
      response.writeHead(502).end('<html>')
      return
    }
    const bodies: Record<string, unknown> = { [`${path}/certs`]: { keys: published } }
    const metadata = { issuer: it.impostor ?? it.issuer, jwks_uri: `${it.issuer}/certs` }
    if (it.metadataAt === 'openid') bodies[`${path}/.well-known/openid-configuration`] = metadata
    if (it.metadataAt === 'oauth') bodies[`/.well-known/oauth-authorization-server${path}`] = metadata
    const body = bodies[request.url ?? '']
    if (request.url === `${path}/certs`) it.keyRequests++
    response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const addKey: TokenIssuer['addKey'] = async (algorithm, { publish }) => {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const kid = `${algorithm}-${published.length}`
    if (publish) published.push({ ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' })
    return { kid, key: privateKey }
  }
  const first = await addKey('RS256', { publish: true })
  const it: TokenIssuer = {
    issuer: `http://127.0.0.1:${port}${path}`,
    keyRequests: 0,
    requests: 0,
    mode: 'well',
    metadataAt: 'openid',
    key: first.key,
    addKey,
    token: (claims, header = {}, key = first.key) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: first.kid, typ: 'JWT', ...header }).sign(key),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return it
}
