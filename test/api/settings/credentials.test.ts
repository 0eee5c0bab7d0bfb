import { randomUUID } from 'node:crypto'
import type { PersonCaller } from '#core/context.ts'
import { rotateSecret } from '#core/account/credential/rotate-secret.ts'
import { CredentialId } from '#core/ids.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientWithToken, accessToken } from '../../support/clients/api-client.ts'
import { type PanelClient, signedIn, type TestPerson } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let admin: PanelClient & { person: TestPerson }

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const general = () => service.organisation.generalWorkspaceId

interface Issued {
  id: string
  clientId: string
  clientSecret: string
}

async function aCredential(permissions: string[] = ['envelope:create']): Promise<Issued> {
  const { body } = await admin.post('/credentials', { name: 'ERP', workspaces: [{ workspaceId: general(), permissions }] })
  return body
}

/** The record in the list. */
async function listed(id: string) {
  const { body } = await admin.get('/credentials')
  return body.find((credential: { id: string }) => credential.id === id)
}

async function tokenStatus({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Promise<number> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  return (await fetch(`${service.url}/oauth2/token`, { method: 'POST', body: form })).status
}

describe('creating a credential', () => {
  // requirements: running/panel/GET, POST /credentials, decisions/token/client secret
  test('returns the record with the secret, which gets tokens and is never shown again', async () => {
    const { status, body } = await admin.post('/credentials', {
      name: 'ERP',
      workspaces: [{ workspaceId: general(), permissions: ['document:download', 'envelope:create'] }],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      clientId: expect.stringMatching(/^swc_/),
      clientSecret: expect.stringMatching(/^swsec_[\w-]{43}$/),
      name: 'ERP',
      workspaces: [{ workspaceId: general(), permissions: ['envelope:read', 'envelope:create', 'document:download'] }],
      createdAt: expect.any(String),
      secretLastFour: body.clientSecret.slice(-4),
    })
    const { clientSecret, ...record } = body
    expect(await listed(body.id)).toEqual(record)
    expect(await tokenStatus(body)).toBe(200)
    expect((await listed(body.id)).lastUsedAt).toEqual(expect.any(String))
    expect(await service.readLog()).not.toContain(clientSecret)
  })

  test('may give the credential no role', async () => {
    const { status, body } = await admin.post('/credentials', { name: 'idle', workspaces: [] })
    expect([status, body.workspaces]).toEqual([201, []])
  })

  test.each([
    ['without a name', { workspaces: [] }, 'name'],
    ['with an empty name', { name: '', workspaces: [] }, 'name'],
    ['with a name of 256 characters', { name: 'x'.repeat(256), workspaces: [] }, 'name'],
    ['without workspaces', { name: 'x' }, 'workspaces'],
    ['with an unknown permission', { name: 'x', workspaces: [grant(['envelope:everything'])] }, 'permissions'],
    ['with a permission twice', { name: 'x', workspaces: [grant(['envelope:send', 'envelope:send'])] }, 'permissions'],
    ['with a workspace twice', { name: 'x', workspaces: [grant([]), grant([])] }, 'workspaces'],
  ])('is refused %s', async (_case, body, field) => {
    const answer = await admin.post('/credentials', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(answer.body.message).toContain(field)
  })

  test('accepts a name of 255 characters', async () => {
    expect((await admin.post('/credentials', { name: 'ä'.repeat(255), workspaces: [] })).status).toBe(201)
  })

  test("rejects another organisation's workspace, and creates nothing", async () => {
    const other = await service.anotherOrganisation()
    const before = (await admin.get('/credentials')).body.length
    for (const workspaceId of [other.organisation.generalWorkspaceId, randomUUID()]) {
      const { status, body } = await admin.post('/credentials', { name: 'x', workspaces: [{ workspaceId, permissions: [] }] })
      expect([status, body.code]).toEqual([404, 'WORKSPACE_NOT_FOUND'])
    }
    expect((await admin.get('/credentials')).body).toHaveLength(before)
  })
})

function grant(permissions: string[]) {
  return { workspaceId: '11111111-1111-4111-8111-111111111111', permissions }
}

describe('changing a credential', () => {
  test('renames it and keeps its roles', async () => {
    const { id } = await aCredential()
    const { status, body } = await admin.patch(`/credentials/${id}`, { name: 'CRM' })
    expect([status, body.name]).toEqual([200, 'CRM'])
    expect(body.workspaces).toEqual([{ workspaceId: general(), permissions: ['envelope:read', 'envelope:create'] }])
    expect(body).not.toHaveProperty('clientSecret')
    expect(await listed(id)).toEqual(body)
  })

  // requirements: running/panel/PATCH /credentials/{id} and on
  test('replaces every role, immediately also for valid tokens', async () => {
    const credential = await aCredential()
    const client = clientWithToken(service.url, await accessToken(service.url, credential))
    const { body: workspace } = await admin.post('/workspaces', { name: `Sales ${credential.id}` })
    const draft = { title: 'x', signers: [{ email: 'a@example.test', name: 'A' }], workspaceId: workspace.id }
    expect((await client.post('/api/v1/envelopes', draft)).status).toBe(404)
    const roles = [{ workspaceId: workspace.id, permissions: ['envelope:create'] }]
    const { body } = await admin.patch(`/credentials/${credential.id}`, { workspaces: roles })
    expect(body.workspaces).toEqual([{ workspaceId: workspace.id, permissions: ['envelope:read', 'envelope:create'] }])
    expect((await client.post('/api/v1/envelopes', draft)).status).toBe(201)
    expect((await client.post('/api/v1/envelopes', { ...draft, workspaceId: general() })).status).toBe(404)
  })

  test('changes nothing when one workspace does not exist', async () => {
    const { id } = await aCredential()
    const before = await listed(id)
    const roles = [
      { workspaceId: general(), permissions: [] },
      { workspaceId: randomUUID(), permissions: [] },
    ]
    const { status, body } = await admin.patch(`/credentials/${id}`, { name: 'other', workspaces: roles })
    expect([status, body.code]).toEqual([404, 'WORKSPACE_NOT_FOUND'])
    expect(await listed(id)).toEqual(before)
  })
})

function callerOf({ person: { personId, email } }: { person: TestPerson }): PersonCaller {
  const { orgId } = service.organisation
  return { kind: 'person', orgId, personId, role: 'ADMIN', email, name: 'Robin', origin: { address: null, userAgent: null } }
}

describe('rotating the secret', () => {
  // requirements: running/panel/PATCH /credentials/{id} and on, decisions/token/client secret
  test('keeps both secrets valid for 24 hours, then only the new one', async () => {
    await using own = await testService()
    const panel = await signedIn(own)
    const statusOf = async (clientSecret: string) => {
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: first.clientId,
        client_secret: clientSecret,
      })
      return (await fetch(`${own.url}/oauth2/token`, { method: 'POST', body: form })).status
    }
    const { body: first } = await panel.post('/credentials', { name: 'x', workspaces: [] })
    const { status, body: second } = await panel.post(`/credentials/${first.id}/rotate-secret`)
    expect(status).toBe(200)
    expect(second.clientSecret).not.toBe(first.clientSecret)
    expect(second.secretLastFour).toBe(second.clientSecret.slice(-4))
    const graceMs = Date.parse(second.previousSecretExpiresAt) - Date.now()
    expect(Math.abs(graceMs - 86_400_000)).toBeLessThan(60_000)
    expect([await statusOf(first.clientSecret), await statusOf(second.clientSecret)]).toEqual([200, 200])
    await own.database.moveClock(86_400 + 5)
    expect([await statusOf(first.clientSecret), await statusOf(second.clientSecret)]).toEqual([401, 200])
    const later = await signedIn(own)
    expect((await later.get('/credentials')).body[0]).not.toHaveProperty('previousSecretExpiresAt')
    expect((await later.post(`/credentials/${first.id}/rotate-secret`)).status).toBe(200)
  })

  test('is rejected a second time within the grace period, with its end', async () => {
    const { id } = await aCredential()
    const { body: rotated } = await admin.post(`/credentials/${id}/rotate-secret`)
    const { status, body } = await admin.post(`/credentials/${id}/rotate-secret`)
    expect([status, body.code]).toEqual([409, 'SECRET_ROTATION_IN_PROGRESS'])
    expect(body.message).toContain(rotated.previousSecretExpiresAt)
  })

  test('creates one new secret for two concurrent requests', async () => {
    const id = CredentialId.parse((await aCredential()).id)
    const caller = callerOf(admin)
    // Each has an open connection, so that they run concurrently.
    await Promise.all(Array.from({ length: 8 }, () => service.api.database`select pg_sleep(0.2)`))
    const rotations = await Promise.allSettled(Array.from({ length: 8 }, () => rotateSecret(service.api, caller, id)))
    expect(rotations.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await service.database.owner`select from credential_secrets where credential_id = ${id}`).toHaveLength(2)
  })

  test('can be cut short by revoking the old secret, which allows the next rotation', async () => {
    const first = await aCredential()
    const { body: second } = await admin.post(`/credentials/${first.id}/rotate-secret`)
    expect((await admin.post(`/credentials/${first.id}/revoke-previous-secret`)).status).toBe(204)
    expect([await tokenStatus(first), await tokenStatus(second)]).toEqual([401, 200])
    expect(await listed(first.id)).not.toHaveProperty('previousSecretExpiresAt')
    expect((await admin.post(`/credentials/${first.id}/revoke-previous-secret`)).status).toBe(204)
    expect((await admin.post(`/credentials/${first.id}/rotate-secret`)).status).toBe(200)
  })
})

describe('revoking a credential', () => {
  // requirements: running/panel/PATCH /credentials/{id} and on
  test('stops new tokens at once and keeps existing ones valid', async () => {
    const credential = await aCredential()
    await admin.post(`/credentials/${credential.id}/rotate-secret`)
    const client = clientWithToken(service.url, await accessToken(service.url, credential))
    expect((await admin.delete(`/credentials/${credential.id}`)).status).toBe(204)
    expect(await tokenStatus(credential)).toBe(401)
    expect((await client.get('/api/v1/workspaces')).status).toBe(200)
    const record = await listed(credential.id)
    expect(record.revokedAt).toEqual(expect.any(String))
    expect(record).not.toHaveProperty('previousSecretExpiresAt')
    expect((await admin.delete(`/credentials/${credential.id}`)).status).toBe(204)
    expect((await listed(credential.id)).revokedAt).toBe(record.revokedAt)
  })

  test('rejects every further change', async () => {
    const { id } = await aCredential()
    await admin.delete(`/credentials/${id}`)
    const answers = await Promise.all([
      admin.patch(`/credentials/${id}`, { name: 'back' }),
      admin.post(`/credentials/${id}/rotate-secret`),
      admin.post(`/credentials/${id}/revoke-previous-secret`),
    ])
    for (const { status, body } of answers) expect([status, body.code]).toEqual([409, 'CREDENTIAL_REVOKED'])
  })
})

test("another organisation's credential and an unknown one are not found", async () => {
  const other = await service.anotherOrganisation()
  const [row] = await service.database.owner<
    { id: string }[]
  >`select id from credentials where org_id = ${other.organisation.orgId}`
  const { id: foreign } = row!
  for (const id of [foreign, randomUUID()]) {
    const answers = await Promise.all([
      admin.patch(`/credentials/${id}`, { name: 'mine' }),
      admin.post(`/credentials/${id}/rotate-secret`),
      admin.post(`/credentials/${id}/revoke-previous-secret`),
      admin.delete(`/credentials/${id}`),
    ])
    for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'CREDENTIAL_NOT_FOUND'])
  }
  expect((await admin.get('/credentials')).body.map(({ id }: { id: string }) => id)).not.toContain(foreign)
  expect((await admin.delete('/credentials/none')).status).toBe(400)
})

test('members cannot see or change credentials', async () => {
  const member = await signedIn(service, { role: 'MEMBER' })
  const { id } = await aCredential()
  const answers = await Promise.all([
    member.get('/credentials'),
    member.post('/credentials', { name: 'x', workspaces: [] }),
    member.patch(`/credentials/${id}`, { name: 'x' }),
    member.post(`/credentials/${id}/rotate-secret`),
    member.post(`/credentials/${id}/revoke-previous-secret`),
    member.delete(`/credentials/${id}`),
  ])
  for (const { status, body } of answers) expect([status, body]).toEqual([403, ''])
  expect(await listed(id)).not.toHaveProperty('revokedAt')
})

test('the activity shows changes of credentials, without secrets', async () => {
  const created = await aCredential()
  await admin.patch(`/credentials/${created.id}`, {})
  await admin.patch(`/credentials/${created.id}`, { name: 'CRM' })
  const { body: rotated } = await admin.post(`/credentials/${created.id}/rotate-secret`)
  await admin.post(`/credentials/${created.id}/revoke-previous-secret`)
  await admin.post(`/credentials/${created.id}/revoke-previous-secret`)
  await admin.delete(`/credentials/${created.id}`)
  await admin.delete(`/credentials/${created.id}`)
  const rows = await service.database.owner<{ action: string; detail: string }[]>`
    select action, detail::text as detail from admin_events where detail ->> 'credentialId' = ${created.id} order by id`
  expect(rows.map(({ action }) => action)).toEqual([
    'credential.created',
    'credential.updated',
    'credential.secret-rotated',
    'credential.previous-secret-revoked',
    'credential.revoked',
  ])
  for (const { detail } of rows) {
    for (const { clientSecret } of [created, rotated]) expect(detail).not.toContain(clientSecret)
  }
})
