// Tokens that must never be accepted, from RFC 8725 and the advisories of JWT libraries. Each differs from a valid one in one property.
import { createHmac, createPrivateKey, randomUUID, sign as signBytes } from 'node:crypto'
import { CompactEncrypt, CompactSign, decodeJwt, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientWithToken } from '../support/clients/api-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
/** The installation's token key, which no attacker has. */
let own: { kid: string; jwk: JWK; publicJwk: JWK }
let stranger: { key: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']; publicJwk: JWK }

beforeAll(async () => {
  service = await testService()
  const [row] = await service.database.owner<{ kid: string; privateBox: Buffer; publicJwk: JWK }[]>`
    select kid, private_box, public_jwk from token_keys`
  const { kid, privateBox, publicJwk } = row!
  own = { kid, publicJwk, jwk: JSON.parse(service.api.keys.open(privateBox, `token key ${kid}`)) }
  const pair = await generateKeyPair('ES256', { extractable: true })
  stranger = { key: pair.privateKey, publicJwk: await exportJWK(pair.publicKey) }
})
afterAll(() => service[Symbol.asyncDispose]())

const HEADER = () => ({ alg: 'ES256', typ: 'at+jwt', kid: own.kid })

function claims(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...decodeJwt(service.client.token), jti: randomUUID(), ...overrides }
}

/** Signed with our own key: the error is elsewhere. */
async function signed(overrides: Record<string, unknown> = {}, header: object = {}): Promise<string> {
  return signedText(JSON.stringify(claims(overrides)), header)
}

async function signedText(payload: string, header: object = {}): Promise<string> {
  const crit = 'b64' in header ? { crit: { b64: true } } : {}
  return new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ ...HEADER(), ...header })
    .sign(await importJWK(own.jwk, 'ES256'), crit)
}

async function strangerSigned(header: object): Promise<string> {
  return new SignJWT(claims()).setProtectedHeader({ ...HEADER(), ...header }).sign(stranger.key)
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A handmade token, for what no library would sign. */
function forged(header: object, signature: (input: string) => string, payload: unknown = claims()): string {
  const input = `${encode({ ...HEADER(), ...header })}.${encode(payload)}`
  return `${input}.${signature(input)}`
}

function derSignature(input: string): string {
  const key = createPrivateKey({ key: { ...own.jwk, kty: 'EC' }, format: 'jwk' })
  return signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'der' }).toString('base64url')
}

function ieeeSignature(input: string): string {
  const key = createPrivateKey({ key: { ...own.jwk, kty: 'EC' }, format: 'jwk' })
  return signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
}

/** The order of P-256: with s replaced by n - s, an ECDSA signature stays valid. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

function parts(token: string): [string, string, string] {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return [header, payload, signature]
}

async function ask(token: string) {
  const { status, body, headers } = await clientWithToken(service.url, token).get('/api/v1/workspaces')
  return { status, body, challenge: headers.get('www-authenticate') }
}

test('the tokens of this file derive from a valid one', async () => {
  expect((await ask(await signed())).status).toBe(200)
  expect((await ask(forged({}, ieeeSignature))).status).toBe(200)
})

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const without = (name: string) => signed({ [name]: undefined })

const BAD: Record<string, () => Promise<string> | string> = {
  'alg none without signature': () => forged({ alg: 'none' }, () => ''),
  'alg none, oddly spelt': () => forged({ alg: 'nOnE' }, () => 'AA'),
  'alg none with a signature of ours': () => forged({ alg: 'none' }, ieeeSignature),
  'no alg': () => forged({ alg: undefined }, ieeeSignature),
  'HS256 keyed with the public key as JWK': () => forged({ alg: 'HS256' }, (input) => hmac(JSON.stringify(own.publicJwk), input)),
  'HS256 keyed with a coordinate of the public key': () =>
    forged({ alg: 'HS256' }, (input) => hmac(String(own.publicJwk.x), input)),
  'HS256 keyed with nothing': () => forged({ alg: 'HS256' }, (input) => hmac('', input)),
  'ES384 in name': () => forged({ alg: 'ES384' }, ieeeSignature),
  'RS256 in name': () => forged({ alg: 'RS256' }, ieeeSignature),
  'ES256 in small letters': () => forged({ alg: 'es256' }, ieeeSignature),
  'a signature of zeros': () => forged({}, () => Buffer.alloc(64).toString('base64url')),
  'kid as a path': () => strangerSigned({ kid: '../../../../dev/null' }),
  'kid as SQL': () => strangerSigned({ kid: `x' union select '{}'--` }),
  'kid as a list': () => forged({ kid: [own.kid] }, ieeeSignature),
  'an unknown kid': () => signed({}, { kid: randomUUID() }),
  "another's key under our kid": () => strangerSigned({}),
  "another's key without kid": () => strangerSigned({ kid: undefined }),
  "another's key in jwk": () => strangerSigned({ jwk: stranger.publicJwk }),
  "another's key in jwk without kid": () => strangerSigned({ jwk: stranger.publicJwk, kid: undefined }),
  "another's key behind jku": () => strangerSigned({ jku: `${service.url}/dev/mails` }),
  "another's key behind x5u": () => strangerSigned({ x5u: 'https://attacker.example/cert.pem' }),
  "another's key in x5c": () => strangerSigned({ x5c: ['MIIB'] }),
  'another issuer': () => signed({ iss: 'https://attacker.example' }),
  'our issuer with a slash': () => signed({ iss: `${service.url}/` }),
  'the issuer as a list': () => signed({ iss: [service.url] }),
  'another audience': () => signed({ aud: 'https://other.example' }),
  'an audience that only begins like ours': () => signed({ aud: `${service.url}.attacker.example` }),
  'an ID token': () => signed({}, { typ: 'JWT' }),
  'no type': () => signed({}, { typ: undefined }),
  'expired longer ago than the skew': () => signed({ exp: inSeconds(-6) }),
  'valid only later': () => signed({ nbf: inSeconds(60) }),
  'issued in the future': () => signed({ iat: inSeconds(60) }),
  'expiry as text': () => signed({ exp: String(inSeconds(100)) }),
  'expiry as null': () => signed({ exp: null }),
  'expiry beyond numbers': () => signedText(JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999')),
  'no iss': () => without('iss'),
  'no aud': () => without('aud'),
  'no exp': () => without('exp'),
  'no iat': () => without('iat'),
  'no nbf': () => without('nbf'),
  'no sub': () => without('sub'),
  'no jti': () => without('jti'),
  'no client_id': () => without('client_id'),
  'no roles claim': () => without('roles'),
  'no svc_org_id': () => without('svc_org_id'),
  'svc_org_id as a list': () => signed({ svc_org_id: [service.organisation.orgId] }),
  'svc_org_id as an object': () => signed({ svc_org_id: { id: service.organisation.orgId } }),
  'svc_org_id as a number': () => signed({ svc_org_id: 1 }),
  'svc_org_id that is no id': () => signed({ svc_org_id: '%' }),
  'a credential that is no id': () => signed({ sub: 'admin' }),
  'roles as text': () => signed({ roles: 'org_api' }),
  'the same claim twice': () => signedText(`{"svc_org_id":"${randomUUID()}",${JSON.stringify(claims()).slice(1)}`),
  'the same claim twice, once escaped': () =>
    signedText(JSON.stringify(claims()).replace('{', `{"svc_\\u006frg_id":"${randomUUID()}",`)),
  'the same header twice': async () => {
    const [, payload] = parts(await signed())
    const header = Buffer.from(`{"alg":"none",${JSON.stringify(HEADER()).slice(1)}`).toString('base64url')
    return `${header}.${payload}.${ieeeSignature(`${header}.${payload}`)}`
  },
  'a payload that is no object': () => signedText('[]'),
  'a payload that is no JSON': () => signedText('x'),
  'a token of 12 KB': () => signed({ padding: 'x'.repeat(9_000) }),
  'an encrypted token': async () => {
    const { kty, crv, x, y } = own.publicJwk
    const key = await importJWK({ kty, crv, x, y } as JWK, 'ECDH-ES')
    return new CompactEncrypt(Buffer.from(await signed()))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: own.kid })
      .encrypt(key)
  },
  'a detached payload': async () => {
    const [header, , signature] = parts(await signed())
    return `${header}..${signature}`
  },
  'an unencoded payload (b64 false)': () => forged({ b64: false, crit: ['b64'] }, ieeeSignature),
  'b64 true, declared critical': () => signed({}, { b64: true, crit: ['b64'] }),
  'an unknown critical header': () => forged({ crit: ['x-future'], 'x-future': true }, ieeeSignature),
  'an empty list of critical headers': () => forged({ crit: [] }, ieeeSignature),
  'garbage behind the signature': async () => `${await signed()}AAAA`,
  'a fourth part': async () => `${await signed()}.AAAA`,
  'a stripped signature': async () => (await signed()).replace(/[^.]*$/, ''),
  'no third part': async () => (await signed()).replace(/\.[^.]*$/, ''),
  'the signature of another token': async () => {
    const [[header, payload], [, , signature]] = [parts(await signed()), parts(await signed())]
    return `${header}.${payload}.${signature}`
  },
  'a signature in DER': () => forged({}, derSignature),
  'another payload under the signature': async () => {
    const [header, , signature] = parts(await signed())
    return `${header}.${encode(claims({ svc_org_id: randomUUID() }))}.${signature}`
  },
  'padding in base64url': async () => (await signed()).replaceAll('.', '=.'),
  'an unknown key on another curve': async () => {
    const { privateKey } = await generateKeyPair('ES384')
    return new SignJWT(claims()).setProtectedHeader({ ...HEADER(), alg: 'ES384' }).sign(privateKey)
  },
}

function hmac(key: string, input: string): string {
  return createHmac('sha256', key).update(input).digest('base64url')
}

const invalidToken = (description: string) => `Bearer error="invalid_token", error_description="${description}"`

// requirements: decisions/doors/401
describe('401 without a body, and a challenge that says why, for', () => {
  test.each(Object.keys(BAD))('%s', async (name) => {
    expect(await ask(await BAD[name]!())).toEqual({
      status: 401,
      body: '',
      challenge: invalidToken('The access token is not valid or has expired.'),
    })
  })

  test.each([
    ['', 'Bearer'],
    ['Bearer', 'Bearer'],
    ['Bearer ', 'Bearer'],
    ['Basic eDp5', 'Bearer'],
    ['Token x', 'Bearer'],
    ['Bearer a b', invalidToken('The header Authorization contains no well-formed token.')],
    ['bearer  x', invalidToken('The access token is not valid or has expired.')],
  ])('the header %j', async (authorization, challenge) => {
    const answer = await clientWithToken(service.url).send('GET', '/api/v1/workspaces', {
      headers: { Authorization: authorization },
    })
    expect([answer.status, answer.body, answer.headers.get('www-authenticate')]).toEqual([401, '', challenge])
  })
})

test.each([[[]], [['org_admin']], [['ORG_API']]])('403 without a body for the roles %j', async (roles) => {
  expect(await ask(await signed({ roles }))).toEqual({ status: 403, body: '', challenge: 'Bearer' })
})

test('a malleable signature identifies the same client and no other', async () => {
  const [header, payload, signature] = parts(await signed())
  const bytes = Buffer.from(signature, 'base64url')
  const s = ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
  expect((await ask(`${header}.${payload}.${twin.toString('base64url')}`)).status).toBe(200)
})

test('a token in the query or in a form is ignored', async () => {
  const anyone = clientWithToken(service.url)
  expect((await anyone.get(`/api/v1/workspaces?access_token=${service.client.token}`)).status).toBe(401)
})
