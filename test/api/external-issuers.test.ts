import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectCredentials } from '#core/account/credential/store.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { toCredentialResponse } from '../../api/responses/credential.ts'
import { clientWithToken } from '../support/clients/api-client.ts'
import { ADA } from '../support/builders/envelopes.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'
import { signedIn } from '../support/clients/panel-client.ts'
import { startTokenIssuer, type TokenIssuer } from '../support/servers/token-issuer.ts'

let keycloak: TokenIssuer
let flat: TokenIssuer
let down: TokenIssuer
let silent: TokenIssuer
/** By algorithm; `flat` publishes them from the start. */
const flatKeys = new Map<string, Awaited<ReturnType<TokenIssuer['addKey']>>>()
let service: TestService

beforeAll(async () => {
  ;[keycloak, flat, down, silent] = await Promise.all([
    startTokenIssuer(),
    startTokenIssuer(''),
    startTokenIssuer('/down'),
    startTokenIssuer('/silent'),
  ])
  flat.metadataAt = 'oauth'
  for (const alg of ['PS256', 'ES256', 'EdDSA']) flatKeys.set(alg, await flat.addKey(alg, { publish: true }))
  down.mode = 'failing'
  silent.mode = 'silent'
  const trusted = [
    { issuer: keycloak.issuer, audience: 'sealwright', orgClaim: 'organisation.id', rolesClaim: 'realm_access.roles' },
    { issuer: flat.issuer, audience: 'sealwright', orgClaim: 'https://example.com/org', rolesClaim: 'scope' },
    { issuer: down.issuer, audience: 'sealwright', orgClaim: 'org', rolesClaim: 'roles' },
    { issuer: silent.issuer, audience: 'sealwright', jwksUri: `${silent.issuer}/certs`, orgClaim: 'org', rolesClaim: 'roles' },
  ]
  service = await testService({ SEALWRIGHT_TRUSTED_TOKEN_ISSUERS: JSON.stringify(trusted) })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await Promise.all([keycloak, flat, down, silent].map((issuer) => issuer[Symbol.asyncDispose]()))
})

const seconds = () => Math.floor(Date.now() / 1000)

/** The claims of a Keycloak service account. */
function claims(overrides: Record<string, unknown> = {}): JWTPayload {
  return {
    iss: keycloak.issuer,
    aud: ['account', 'sealwright'],
    azp: 'erp',
    sub: randomUUID(),
    typ: 'Bearer',
    iat: seconds(),
    exp: seconds() + 300,
    organisation: { id: service.organisation.orgId },
    realm_access: { roles: ['offline_access', 'org_api'] },
    ...overrides,
  }
}

async function list(token: string) {
  return clientWithToken(service.url, token).get('/api/v1/envelopes')
}

async function statusFor(overrides: Record<string, unknown>, header = {}) {
  return (await list(await keycloak.token(claims(overrides), header))).status
}

async function rowsOf(clientId: string) {
  return service.database.owner<{ id: string; orgId: string; name: string; issuer: string; lastUsedAt: Date }[]>`
    select id, org_id, name, issuer, last_used_at from credentials where client_id = ${clientId} and issuer is not null`
}

describe('a token of a trusted external issuer', () => {
  // requirements: decisions/token/token, running/settings/sign-in and issuers
  test('is accepted, and concurrent first calls record its client once', async () => {
    const token = await keycloak.token(claims({ azp: 'crowd' }))
    const answers = await Promise.all(Array.from({ length: 20 }, () => list(token)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await rowsOf('crowd')).toMatchObject([
      { orgId: service.organisation.orgId, name: 'crowd', issuer: keycloak.issuer, lastUsedAt: expect.any(Date) },
    ])
  })

  test('reaches no envelope until an admin assigns a workspace, and then only by its permissions', async () => {
    const client = clientWithToken(service.url, await keycloak.token(claims({ azp: 'assigned' })))
    const { body: envelope } = await service.client.post('/api/v1/envelopes', { title: 'Lease', signers: [ADA] })
    expect((await client.get('/api/v1/workspaces')).body).toMatchObject([{ isGeneral: true }])
    expect((await client.get('/api/v1/envelopes')).body.totalElements).toBe(0)
    expect((await client.get(`/api/v1/envelopes/${envelope.id}`)).status).toBe(404)
    const [row] = await rowsOf('assigned')
    await service.database.owner`
      insert into credential_grants values (${row!.orgId}, ${row!.id}, ${service.organisation.generalWorkspaceId}, '{envelope:read}')`
    expect((await client.get(`/api/v1/envelopes/${envelope.id}`)).status).toBe(200)
    expect((await client.post('/api/v1/envelopes', { title: 'No', signers: [ADA] })).body.code).toBe('WORKSPACE_NOT_FOUND')
  })

  test('has its client listed among the credentials, without a secret', async () => {
    expect(await statusFor({ azp: 'seen' })).toBe(200)
    const { orgId } = service.organisation
    const credentials = await inOrganisation(service.api.database, orgId, (sql) => selectCredentials(sql, orgId))
    const seen = credentials.find(({ clientId }) => clientId === 'seen')!
    expect(toCredentialResponse(seen)).toMatchObject({
      name: 'seen',
      issuer: keycloak.issuer,
      secretLastFour: null,
      workspaces: [],
    })
  })

  test('has no secret here to rotate', async () => {
    expect(await statusFor({ azp: 'secretless' })).toBe(200)
    const [row] = await rowsOf('secretless')
    const admin = await signedIn(service)
    const path = `/settings/api/credentials/${row!.id}/rotate-secret`
    const { status, body } = await admin.send('POST', path)
    expect([status, body.code]).toEqual([409, 'CREDENTIAL_WITHOUT_SECRET'])
  })

  test('is rejected at once when its client has been revoked', async () => {
    const token = await keycloak.token(claims({ azp: 'fired' }))
    expect((await list(token)).status).toBe(200)
    await service.database.owner`update credentials set revoked_at = now() where client_id = 'fired'`
    expect((await list(token)).status).toBe(401)
  })

  test('works with roles as text, nested claim names, and keys found by RFC 8414', async () => {
    const own = { iss: flat.issuer, aud: 'sealwright', sub: 'machine', exp: seconds() + 60 }
    const token = await flat.token(
      { ...own, 'https://example.com/org': service.organisation.orgId, scope: 'openid org_api' },
      { typ: 'at+jwt' },
    )
    expect((await list(token)).status).toBe(200)
    expect(await rowsOf('machine')).toMatchObject([{ issuer: flat.issuer }])
  })

  test.each(['PS256', 'ES256', 'EdDSA'])('may be signed with %s', async (alg) => {
    const { kid, key } = flatKeys.get(alg)!
    const own = { iss: flat.issuer, aud: 'sealwright', sub: 'machine', exp: seconds() + 60, scope: 'org_api' }
    const token = await flat.token({ ...own, 'https://example.com/org': service.organisation.orgId }, { alg, kid }, key)
    expect((await list(token)).status).toBe(200)
  })

  test('with the same client id in another organisation is another credential', async () => {
    const { organisation } = await service.anotherOrganisation()
    for (const id of [service.organisation.orgId, organisation.orgId]) {
      expect(await statusFor({ azp: 'shared', organisation: { id } })).toBe(200)
    }
    expect((await rowsOf('shared')).map(({ orgId }) => orgId).toSorted()).toEqual(
      [service.organisation.orgId, organisation.orgId].toSorted(),
    )
  })

  test('names its client by client_id, else azp, else sub', async () => {
    expect(await statusFor({ client_id: 'by-id', azp: 'by-azp', sub: 'by-sub' })).toBe(200)
    const { azp: _azp, ...withoutAzp } = claims({ sub: 'by-sub' })
    expect((await list(await keycloak.token(withoutAzp))).status).toBe(200)
    expect([await rowsOf('by-id'), await rowsOf('by-azp'), await rowsOf('by-sub')].map(({ length }) => length)).toEqual([1, 0, 1])
  })

  test('cannot replace a credential of this service by using its client id', async () => {
    const { clientId, generalWorkspaceId } = service.organisation
    const client = clientWithToken(service.url, await keycloak.token(claims({ client_id: clientId })))
    expect((await client.post('/api/v1/envelopes', { title: 'x', signers: [ADA], workspaceId: generalWorkspaceId })).status).toBe(
      404,
    )
  })

  test.each<[string, number, Record<string, unknown>, object]>([
    ['without the role', 403, { realm_access: { roles: ['user'] } }, {}],
    ['without the roles claim', 403, { realm_access: undefined }, {}],
    ['with a role that only begins like ours', 403, { realm_access: { roles: ['org_api_reader'] } }, {}],
    ['of an organisation that does not exist', 401, { organisation: { id: randomUUID() } }, {}],
    ['without an organisation', 401, { organisation: undefined }, {}],
    ['whose organisation is a list', 401, { organisation: { id: [randomUUID()] } }, {}],
    ['for another audience', 401, { aud: 'account' }, {}],
    ['that has expired', 401, { exp: seconds() - 6 }, {}],
    ['without expiry', 401, { exp: undefined }, {}],
    ['that is not valid yet', 401, { nbf: seconds() + 60 }, {}],
    ['issued in the future', 401, { iat: seconds() + 60 }, {}],
    ['of a client with too long an id', 401, { azp: 'x'.repeat(256) }, {}],
    ["that is Keycloak's ID token", 401, { typ: 'ID' }, {}],
    ['bound to a key of its sender', 401, { cnf: { jkt: 'x' } }, {}],
    ['of another type', 401, {}, { typ: 'logout+jwt' }],
    ['without a type', 401, {}, { typ: undefined }],
  ])('%s is refused with %d', async (_name, status, overrides, header) => {
    expect(await statusFor(overrides, header)).toBe(status)
  })

  test('with an unpublished key is rejected, and many unknown keys query the issuer once', async () => {
    const { key } = await keycloak.addKey('RS256', { publish: false })
    const before = keycloak.keyRequests
    const tokens = await Promise.all(
      Array.from({ length: 30 }, (_, index) => keycloak.token(claims(), { kid: `unknown-${index}` }, key)),
    )
    const answers = await Promise.all(tokens.map(list))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(keycloak.keyRequests - before).toBeLessThanOrEqual(1)
  })

  test('from an untrusted issuer is rejected, without a request to that issuer', async () => {
    await using stranger = await startTokenIssuer()
    const token = await stranger.token(claims({ iss: stranger.issuer }))
    expect((await list(token)).status).toBe(401)
    expect(stranger.keyRequests).toBe(0)
  })

  test('signed by one trusted issuer in the name of another is rejected', async () => {
    const token = await flat.token(claims(), { kid: 'RS256-0' })
    expect((await list(token)).status).toBe(401)
  })
})

test('an organisation records at most 200 external clients, and known ones keep working', async () => {
  const { organisation } = await service.anotherOrganisation()
  const mine = { organisation: { id: organisation.orgId } }
  expect(await statusFor({ ...mine, azp: 'first' })).toBe(200)
  await service.database.owner`
    insert into credentials (org_id, id, client_id, name, issuer)
    select ${organisation.orgId}, gen_random_uuid(), 'made-up-' || n, 'x', ${keycloak.issuer} from generate_series(1, 199) n`
  expect(await statusFor({ ...mine, azp: 'one-too-many' })).toBe(401)
  expect(await statusFor({ ...mine, azp: 'first' })).toBe(200)
})

describe('an issuer that', () => {
  test.each(['fails', 'is silent'])('%s makes only its own tokens answer 503, and is queried once', async (how) => {
    const issuer = how === 'fails' ? down : silent
    const { orgId } = service.organisation
    const token = await issuer.token({
      iss: issuer.issuer,
      aud: 'sealwright',
      sub: 'x',
      exp: seconds() + 60,
      org: orgId,
      roles: ['org_api'],
    })
    const waiting = Promise.all([list(token), list(token), list(token)])
    expect((await service.client.get('/api/v1/envelopes')).status).toBe(200)
    expect(await statusFor({})).toBe(200)
    const answers = [...(await waiting), await list(token)]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 4 }, () => [503, 'SERVICE_UNAVAILABLE']),
    )
    expect(answers[0]!.headers.get('retry-after')).toBe('5')
    expect(issuer.requests).toBe(1)
  })

  test('names another issuer in its metadata is rejected, is queried again later, and its cached keys survive its next outage', async () => {
    await using issuer = await startTokenIssuer()
    const trusted = [{ issuer: issuer.issuer, audience: 'sealwright', orgClaim: 'org', rolesClaim: 'roles' }]
    await using own = await testService({ SEALWRIGHT_TRUSTED_TOKEN_ISSUERS: JSON.stringify(trusted) })
    const base = { iss: issuer.issuer, aud: 'sealwright', exp: seconds() + 60, org: own.organisation.orgId, roles: ['org_api'] }
    const ask = async (sub: string) => {
      const client = clientWithToken(own.url, await issuer.token({ ...base, sub }))
      return (await client.get('/api/v1/workspaces')).status
    }
    issuer.impostor = 'https://elsewhere.example'
    expect(await ask('early')).toBe(503)
    delete issuer.impostor
    await expect.poll(() => ask('first'), { timeout: 10_000 }).toBe(200)
    expect(issuer.requests).toBe(3)
    issuer.mode = 'failing'
    expect(await ask('second')).toBe(200)
  })
})
