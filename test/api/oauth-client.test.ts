// The token endpoint used by a client library that checks every response against the RFCs.
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientWithToken } from '../support/clients/api-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let server: oauth.AuthorizationServer

const PLAIN_HTTP = { [oauth.allowInsecureRequests]: true }

beforeAll(async () => {
  service = await testService()
  const issuer = new URL(service.url)
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...PLAIN_HTTP })
  server = await oauth.processDiscoveryResponse(issuer, response)
})
afterAll(() => service[Symbol.asyncDispose]())

async function grant(authenticate: oauth.ClientAuth, parameters: Record<string, string> = {}) {
  const client = { client_id: service.organisation.clientId }
  const response = await oauth.clientCredentialsGrantRequest(server, client, authenticate, parameters, PLAIN_HTTP)
  return oauth.processClientCredentialsResponse(server, client, response)
}

describe('oauth4webapi', () => {
  test('finds everything it needs in the metadata', () => {
    expect(server).toEqual({
      issuer: service.url,
      token_endpoint: `${service.url}/oauth2/token`,
      jwks_uri: `${service.url}/oauth2/jwks`,
      scopes_supported: ['org_api'],
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      service_documentation: `${service.url}/docs`,
    })
  })

  test.each([
    ['in the body', oauth.ClientSecretPost],
    ['by HTTP Basic', oauth.ClientSecretBasic],
  ])('gets a token with the secret %s, and the API takes it', async (_name, method) => {
    const answer = await grant(method(service.organisation.clientSecret), { scope: 'org_api' })
    expect(answer).toMatchObject({ token_type: 'bearer', expires_in: 300, scope: 'org_api' })
    expect((await clientWithToken(service.url, answer.access_token).get('/api/v1/workspaces')).status).toBe(200)
  })

  test("validates the token as a JWT access token of RFC 9068, in the API's place", async () => {
    const { access_token: token } = await grant(oauth.ClientSecretPost(service.organisation.clientSecret))
    const request = new Request(`${service.url}/api/v1/workspaces`, { headers: { Authorization: `Bearer ${token}` } })
    const claims = await oauth.validateJwtAccessToken(server, request, service.url, PLAIN_HTTP)
    expect(claims).toMatchObject({ client_id: service.organisation.clientId, svc_org_id: service.organisation.orgId })
  })

  test.each<[string, oauth.ClientAuth, Record<string, string>, number, string]>([
    ['a wrong secret in the body', oauth.ClientSecretPost('wrong'), {}, 401, 'invalid_client'],
    ['an unknown scope', oauth.ClientSecretPost('wrong'), { scope: 'admin' }, 400, 'invalid_scope'],
  ])('understands the refusal of %s', async (_name, authenticate, parameters, status, error) => {
    await expect(grant(authenticate, parameters)).rejects.toMatchObject({ status, error })
  })

  test('gets a challenge when HTTP Basic has failed', async () => {
    const failure: unknown = await grant(oauth.ClientSecretBasic('wrong')).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(oauth.WWWAuthenticateChallengeError)
    expect(failure).toMatchObject({ status: 401, cause: [{ scheme: 'basic', parameters: { realm: 'sealwright' } }] })
  })
})

describe('when the keys rotate after 30 days', () => {
  const DAYS = 86_400

  async function newToken(): Promise<string> {
    return (await grant(oauth.ClientSecretPost(service.organisation.clientSecret))).access_token
  }
  const kidOf = (token: string) => decodeProtectedHeader(token).kid
  const statusOf = async (token: string) => (await clientWithToken(service.url, token).get('/api/v1/workspaces')).status
  const publishedKids = async () => {
    const { body } = await clientWithToken(service.url).get('/oauth2/jwks')
    return body.keys.map(({ kid }: { kid: string }) => kid)
  }

  afterAll(() => service.database.moveClock(0))

  test('the next key is published before it signs, old tokens stay valid until they expire, and old keys are removed', async () => {
    const first = kidOf(await newToken())
    await service.database.moveClock(30 * DAYS - 60)
    expect(kidOf(await newToken())).toBe(first)

    await service.database.moveClock(30 * DAYS + 60)
    const [next, ...others] = await publishedKids()
    expect(others).toEqual([first])
    const before = await newToken()
    expect(kidOf(before)).toBe(first)

    await service.database.moveClock(30 * DAYS + 400)
    const last = await newToken()
    await service.database.moveClock(30 * DAYS + 670)
    const after = await newToken()
    expect([kidOf(last), kidOf(after)]).toEqual([first, next])
    expect(await Promise.all([last, after].map(statusOf))).toEqual([200, 200])
    const outside = createRemoteJWKSet(new URL(server.jwks_uri!))
    for (const token of [last, after]) {
      const { payload } = await jwtVerify(token, outside, { currentDate: new Date(Date.now() + (30 * DAYS + 670) * 1_000) })
      expect(payload.iss).toBe(service.url)
    }

    await service.database.moveClock(61 * DAYS)
    await newToken()
    expect(await publishedKids()).not.toContain(first)
  })

  test('two replicas create one key', async () => {
    await using twin = await testService()
    await twin.database.owner`delete from token_keys`
    await twin.database.moveClock(120)
    const bodies = await Promise.all(
      Array.from({ length: 10 }, () =>
        clientWithToken(twin.url)
          .get('/oauth2/jwks')
          .then(({ body }) => body.keys.length),
      ),
    )
    expect(new Set(bodies)).toEqual(new Set([1]))
  })
})

test('revocation stops new tokens at once, while existing ones stay valid until they expire', async () => {
  const { organisation, client } = await service.anotherOrganisation()
  await service.database.owner`update credentials set revoked_at = now() where client_id = ${organisation.clientId}`
  const refused = oauth.clientCredentialsGrantRequest(
    server,
    { client_id: organisation.clientId },
    oauth.ClientSecretPost(organisation.clientSecret),
    {},
    PLAIN_HTTP,
  )
  expect((await refused).status).toBe(401)
  expect((await client.get('/api/v1/workspaces')).status).toBe(200)
  await service.database.moveClock(299)
  expect((await client.get('/api/v1/workspaces')).status).toBe(200)
  await service.database.moveClock(306)
  expect((await client.get('/api/v1/workspaces')).status).toBe(401)
  await service.database.moveClock(0)
})
