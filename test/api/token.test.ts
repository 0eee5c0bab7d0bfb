import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientWithToken } from '../support/clients/api-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

function ask(form: Record<string, string> | string, headers: Record<string, string> = {}) {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
  return clientWithToken(service.url).send('POST', '/oauth2/token', { body, headers: { ...FORM, ...headers } })
}

function credentials() {
  return { client_id: service.organisation.clientId, client_secret: service.organisation.clientSecret }
}

describe('the token endpoint', () => {
  // requirements: decisions/token/token endpoint, decisions/token/response, decisions/token/token
  test("returns a bearer token with the client's claims", async () => {
    const { status, body, headers } = await ask({ grant_type: 'client_credentials', ...credentials() })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 300, scope: 'org_api' })
    expect(decodeProtectedHeader(body.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    const claims = decodeJwt(body.access_token)
    expect(claims).toMatchObject({
      iss: service.url,
      aud: service.url,
      svc_org_id: service.organisation.orgId,
      roles: ['org_api'],
    })
    expect(claims.exp! - claims.iat!).toBe(300)
  })

  // requirements: decisions/token/token endpoint
  test('accepts HTTP Basic as well', async () => {
    const { clientId, clientSecret } = service.organisation
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const { status } = await ask({ grant_type: 'client_credentials' }, { Authorization: `Basic ${basic}` })
    expect(status).toBe(200)
  })

  // requirements: decisions/token/errors
  test.each([
    ['no grant type', {}, 400, 'invalid_request'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['an unknown scope', { grant_type: 'client_credentials', scope: 'admin' }, 400, 'invalid_scope'],
    ['no client', { grant_type: 'client_credentials', client_id: '', client_secret: '' }, 401, 'invalid_client'],
    ['a wrong secret', { grant_type: 'client_credentials', client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { grant_type: 'client_credentials', client_id: 'swc_unknown' }, 401, 'invalid_client'],
    ['a client with NUL', { grant_type: 'client_credentials', client_id: 'swc_\0' }, 401, 'invalid_client'],
    ['a client with half a character', { grant_type: 'client_credentials', client_id: '\uD800' }, 401, 'invalid_client'],
  ])('refuses %s', async (_name, form: Record<string, string>, status, error) => {
    const answer = await ask({ ...credentials(), ...form })
    expect([answer.status, answer.body.error]).toEqual([status, error])
  })

  test('rejects a repeated parameter', async () => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...credentials() })
    const { status, body } = await ask(`${form.toString()}&grant_type=client_credentials`)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  test.each([
    ['is not what its encoding says', { 'Content-Encoding': 'gzip' }, 'x'],
    ['has an unknown encoding', { 'Content-Encoding': 'zz' }, 'x'],
    ['has an unknown charset', { 'Content-Type': 'application/x-www-form-urlencoded; charset=zz' }, 'x'],
    ['is too large', {}, `grant_type=${'x'.repeat(16 * 1024)}`],
  ])('refuses a body that %s in the form of RFC 6749', async (_name, headers: Record<string, string>, sent) => {
    const { status, body, headers: answered } = await ask(sent, headers)
    expect([status, body]).toEqual([400, { error: 'invalid_request', error_description: expect.any(String) }])
    expect(answered.get('cache-control')).toBe('no-store')
  })

  test('a revoked credential gets no new token immediately', async () => {
    const { organisation } = await service.anotherOrganisation()
    await service.database.owner`update credentials set revoked_at = now() where client_id = ${organisation.clientId}`
    const { status } = await ask({
      grant_type: 'client_credentials',
      client_id: organisation.clientId,
      client_secret: organisation.clientSecret,
    })
    expect(status).toBe(401)
  })

  // requirements: decisions/token/token endpoint
  test('publishes its keys and metadata', async () => {
    const anyone = clientWithToken(service.url)
    const { body: metadata } = await anyone.get('/.well-known/oauth-authorization-server')
    expect(metadata).toMatchObject({
      issuer: service.url,
      token_endpoint: `${service.url}/oauth2/token`,
      jwks_uri: `${service.url}/oauth2/jwks`,
    })
    const { body: jwks } = await anyone.get('/oauth2/jwks')
    expect(jwks.keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig' })
    expect(jwks.keys[0]).not.toHaveProperty('d')
  })
})

const INVALID = 'Bearer error="invalid_token", error_description="The access token is not valid or has expired."'

describe('an organisation operation', () => {
  // requirements: service-api/statuses/401, decisions/token/401, 403
  test.each([
    ['no token', undefined, 'Bearer'],
    ['a token that is no JWT', 'abc', INVALID],
    ['an unsigned token', 'eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.e30.', INVALID],
  ])('answers 401 without a body for %s', async (_name, token, challenge) => {
    const { status, body, headers } = await clientWithToken(service.url, token).get(
      `/api/v1/envelopes/${service.organisation.orgId}`,
    )
    expect([status, body]).toEqual([401, ''])
    expect(headers.get('www-authenticate')).toBe(challenge)
  })

  // requirements: service-api/limits/access token lifetime, decisions/token/token
  test('accepts a token for 300 s by the database clock plus the allowed skew', async () => {
    const path = `/api/v1/envelopes/${service.organisation.orgId}`
    await service.database.moveClock(299)
    expect((await service.client.get(path)).status).toBe(404)
    await service.database.moveClock(306)
    expect((await service.client.get(path)).status).toBe(401)
    await service.database.moveClock(0)
  })
})
