// Response times reveal nothing: an unknown name costs the same statements, password hashes and signatures as a wrong secret. The test
// counts the work, because timing proves nothing on a busy machine.
import type * as Crypto from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId, SignatureId } from '#core/ids.ts'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { clientWithToken } from '../support/clients/api-client.ts'
import { aPerson, panelClient } from '../support/clients/panel-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const argon2 = vi.hoisted(() => ({ runs: [] as string[] }))
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>()
  const counted = (algorithm: Crypto.Argon2Algorithm, parameters: Crypto.Argon2Parameters, done: () => void) => {
    const { memory, passes, parallelism, tagLength } = parameters
    argon2.runs.push(`${algorithm} ${memory} ${passes} ${parallelism} ${tagLength}`)
    crypto.argon2(algorithm, parameters, done)
  }
  return { ...crypto, argon2: counted }
})

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

interface Work {
  status: number
  body: unknown
  statements: string[]
  passwords: string[]
  signatures: number
}

/** Run on new connections, and once a second for the clock, independent of the request. */
const NOBODYS = ['pg_catalog.pg_type', 'select sealwright_now() as now']
/** The organisation of the RLS scope. */
const ORG_ID = /'[0-9a-f-]{36}'/

/** The work of one request. */
async function workOf(request: () => Promise<{ status: number; body: unknown }>): Promise<Work> {
  const { options } = service.database.api
  const statements: string[] = []
  const signing = vi.spyOn(crypto.subtle, 'sign')
  argon2.runs.length = 0
  options.debug = (_connection, statement) => {
    if (!NOBODYS.some((part) => statement.includes(part))) statements.push(statement.replace(ORG_ID, 'an organisation'))
  }
  try {
    const { status, body } = await request()
    return { status, body, statements, passwords: [...argon2.runs], signatures: signing.mock.calls.length }
  } finally {
    options.debug = false
    signing.mockRestore()
  }
}

// requirements: decisions/token/errors
describe('the token endpoint', () => {
  const ask = (clientId: string, clientSecret: string) =>
    clientWithToken(service.url).send('POST', '/oauth2/token', {
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })

  test('does the same work for an unknown client, a revoked one and a wrong secret, and signs nothing', async () => {
    const { clientId, clientSecret } = service.organisation
    await ask(clientId, clientSecret) // the signing key exists from now on
    const wrong = await workOf(() => ask(clientId, 'sws_wrong'))
    expect(wrong).toMatchObject({ status: 401, signatures: 0 })
    expect(wrong.statements.length).toBeGreaterThan(3)
    expect(await workOf(() => ask('swc_nobody', 'sws_wrong'))).toEqual(wrong)
    const { organisation } = await service.anotherOrganisation()
    await service.database.owner`update credentials set revoked_at = now() where client_id = ${organisation.clientId}`
    expect(await workOf(() => ask(organisation.clientId, organisation.clientSecret))).toEqual(wrong)
  })
})

describe('the public check', () => {
  test('does the same work for an unknown id and for a wrong proof of a sealed, an unsealed and an archived envelope', async () => {
    const check = (id: SignatureId, h: string) => workOf(() => clientWithToken(service.url).get(`/api/v1/verify?id=${id}&h=${h}`))
    const signatures = async () => {
      const { id } = await aSignedEnvelope(service)
      const [signature] = await service.database.owner`select id from signatures where envelope_id = ${id}`
      return SignatureId.parse(signature!['id'])
    }
    const unknown = [newId(SignatureId), 'A'.repeat(22)] as const
    const wrong = await check(...unknown)
    expect(wrong).toMatchObject({ status: 200, body: { valid: false } })
    expect(wrong.statements.length).toBeGreaterThan(5)
    expect(await check(newId(SignatureId), 'f'.repeat(64))).toEqual(wrong)
    const sealed = await signatures()
    for (const h of ['A'.repeat(22), 'f'.repeat(64)]) expect(await check(sealed, h)).toEqual(wrong)
    await service.database.owner`update sealed_documents set stored_at = null, increment = 'x'`
    expect(await check(sealed, 'f'.repeat(64))).toEqual(wrong)
    await service.database.owner`update envelopes set archived_at = now()`
    expect(await check(sealed, 'f'.repeat(64))).toEqual(wrong)
  })
})

describe('signing in to the panel', () => {
  const signIn = (email: string) => panelClient(service.url).signIn(email, 'a wrong password')

  test('does the same work for an unknown address, a person without a password and a wrong password', async () => {
    const { orgId } = service.organisation
    await aPerson(service.database.owner, orgId, { email: 'ada@example.test' })
    await aPerson(service.database.owner, orgId, { email: 'ben@example.test' })
    await service.database.owner`update people set password_hash = null where email = 'ben@example.test'`
    const wrong = await workOf(() => signIn('ada@example.test'))
    expect(wrong).toMatchObject({ status: 401, passwords: ['argon2id 19456 2 1 32'] })
    expect(wrong.statements.length).toBeGreaterThan(5)
    expect(await workOf(() => signIn('nobody@example.test'))).toEqual(wrong)
    expect(await workOf(() => signIn('ben@example.test'))).toEqual(wrong)
  })
})
