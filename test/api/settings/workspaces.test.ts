import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA } from '../../support/builders/envelopes.ts'
import { aPerson, type PanelClient, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let admin: PanelClient

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const general = () => service.organisation.generalWorkspaceId

async function aWorkspace(name: string = randomUUID()): Promise<{ id: string; name: string }> {
  const { status, body } = await admin.post('/workspaces', { name })
  if (status !== 201) throw new Error(`No workspace: ${status}`)
  return body
}

const aMember = () => aPerson(service.system.database, service.organisation.orgId, { role: 'MEMBER' })

const namesSeenBy = async (client: PanelClient): Promise<string[]> =>
  (await client.get('/workspaces')).body.map(({ name }: { name: string }) => name)

describe('a workspace', () => {
  // requirements: running/panel/workspaces
  test("is created with the API's shape", async () => {
    const { status, body } = await admin.post('/workspaces', { name: 'Sales' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      orgId: service.organisation.orgId,
      name: 'Sales',
      isGeneral: false,
      groupsReady: true,
      createdAt: expect.any(String),
    })
    expect((await admin.get('/workspaces')).body).toContainEqual(body)
  })

  test('can be renamed, also to its own name in another case', async () => {
    const { id } = await aWorkspace('Legal')
    expect((await admin.patch(`/workspaces/${id}`, { name: 'LEGAL' })).body.name).toBe('LEGAL')
    const { status, body } = await admin.patch(`/workspaces/${id}`, { name: 'Law' })
    expect([status, body.name, body.id]).toEqual([200, 'Law', id])
  })

  test.each([
    ['General in another case', 'gENERAL'],
    ['a name that differs in case alone, beyond ASCII', 'ÄRGER'],
    ['the same letters in another encoding', 'A\u0308rger'],
  ])('cannot take %s', async (_case, name) => {
    await admin.post('/workspaces', { name: 'ärger' })
    const { id } = await aWorkspace()
    for (const answer of [await admin.post('/workspaces', { name }), await admin.patch(`/workspaces/${id}`, { name })]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'WORKSPACE_NAME_TAKEN'])
    }
  })

  test("may have the name of another organisation's workspace", async () => {
    await aWorkspace('Board')
    const other = await service.anotherOrganisation()
    const stranger = await signedIn(service, { orgId: other.organisation.orgId })
    expect((await stranger.post('/workspaces', { name: 'Board' })).status).toBe(201)
  })

  test.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' \u202e ' }],
    ['a name of 256 characters', { name: 'x'.repeat(256) }],
    ['a name with NUL', { name: 'a\0b' }],
  ])('is refused with %s', async (_case, body) => {
    const { id } = await aWorkspace()
    for (const answer of [await admin.post('/workspaces', body), await admin.patch(`/workspaces/${id}`, body)]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    }
  })

  test('is deleted when empty, with its roles', async () => {
    const { id, name } = await aWorkspace()
    const member = await signedIn(service, { role: 'MEMBER' })
    await admin.put(`/workspaces/${id}/members`, [{ adminOrMemberId: member.person.personId, permissions: [] }])
    expect(await namesSeenBy(member)).toContain(name)
    expect((await admin.delete(`/workspaces/${id}`)).status).toBe(204)
    expect(await namesSeenBy(member)).not.toContain(name)
    expect((await admin.delete(`/workspaces/${id}`)).status).toBe(404)
  })

  // requirements: running/panel/workspaces
  test('cannot be deleted while it has an envelope', async () => {
    const { id } = await aWorkspace()
    await roleFor([{ workspaceId: id, permissions: ['envelope:create'] }])
    const draft = await service.client.post('/api/v1/envelopes', { title: 'x', signers: [ADA], workspaceId: id })
    const { status, body } = await admin.delete(`/workspaces/${id}`)
    expect([status, body.code]).toEqual([409, 'WORKSPACE_NOT_EMPTY'])
    expect((await service.client.send('DELETE', `/api/v1/envelopes/${draft.body.id}`)).status).toBe(204)
    expect((await admin.delete(`/workspaces/${id}`)).status).toBe(204)
  })

  test('cannot be deleted while it has an outdated draft, until the sweep', async () => {
    const { id } = await aWorkspace()
    await roleFor([{ workspaceId: id, permissions: ['envelope:create'] }])
    const draft = await service.client.post('/api/v1/envelopes', { title: 'x', signers: [ADA], workspaceId: id })
    await service.database.owner`update envelopes set drops_at = now() - interval '1 second' where id = ${draft.body.id}`
    const { status, body } = await admin.delete(`/workspaces/${id}`)
    expect([status, body.code]).toEqual([409, 'WORKSPACE_NOT_EMPTY'])
    await service.database.owner`delete from envelopes where id = ${draft.body.id}`
    expect((await admin.delete(`/workspaces/${id}`)).status).toBe(204)
  })

  test('is either deleted or gets an envelope, for concurrent requests', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 12; round++) {
      const { id } = await aWorkspace()
      await roleFor([{ workspaceId: id, permissions: ['envelope:create'] }])
      const [created, deleted] = await Promise.all([
        service.client.post('/api/v1/envelopes', { title: 'x', signers: [ADA], workspaceId: id }),
        admin.delete(`/workspaces/${id}`),
      ])
      outcomes.add(`${created.status} ${deleted.status}`)
    }
    for (const outcome of outcomes) expect(['201 409', '404 204']).toContain(outcome)
  })
})

test('a workspace is deleted while a credential gets roles there, without a deadlock', async () => {
  const { id } = await aWorkspace()
  const workspaces = [{ workspaceId: id, permissions: ['envelope:read'] }]
  const { body: credential } = await admin.post('/credentials', { name: 'x', workspaces })
  const { owner } = service.database
  const changing = await owner.begin(async (sql) => {
    await sql`select from workspaces where id = ${id} for update`
    const changed = admin.patch(`/credentials/${credential.id}`, { workspaces })
    await untilLockIsAwaited()
    await sql`delete from workspaces where id = ${id}`
    return { changed }
  })
  const { status, body } = await changing.changed
  expect([status, body.code]).toEqual([404, 'WORKSPACE_NOT_FOUND'])
})

/** Waits until a session of the service's database waits for a lock. */
async function untilLockIsAwaited(): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    const waiting = await service.database.owner`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (waiting.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('No session waits for a lock.')
}

/** Gives the organisation's first credential these roles. */
async function roleFor(workspaces: { workspaceId: string; permissions: string[] }[]): Promise<void> {
  const { body } = await admin.get('/credentials')
  const { id } = body.find(({ clientId }: { clientId: string }) => clientId === service.organisation.clientId)
  const { status } = await admin.patch(`/credentials/${id}`, { workspaces })
  expect(status).toBe(200)
}

describe('General', () => {
  // requirements: running/panel/workspaces
  test('cannot be renamed or deleted', async () => {
    for (const answer of [
      await admin.patch(`/workspaces/${general()}`, { name: 'x' }),
      await admin.delete(`/workspaces/${general()}`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'WORKSPACE_IS_GENERAL'])
    }
  })
})

describe('the members of a workspace', () => {
  // requirements: running/panel/GET, PUT /workspaces/{id}/members
  test('are replaced as a whole and shown as granted, always including read', async () => {
    const { id } = await aWorkspace()
    const [one, two] = [await aMember(), await aMember()]
    const first = await admin.put(`/workspaces/${id}/members`, [
      { adminOrMemberId: one.personId, permissions: ['document:download', 'envelope:send'] },
    ])
    const shown = [{ adminOrMemberId: one.personId, permissions: ['envelope:read', 'envelope:send', 'document:download'] }]
    expect([first.status, first.body]).toEqual([200, shown])
    expect((await admin.get(`/workspaces/${id}/members`)).body).toEqual(shown)
    const second = await admin.put(`/workspaces/${id}/members`, [{ adminOrMemberId: two.personId, permissions: [] }])
    expect(second.body).toEqual([{ adminOrMemberId: two.personId, permissions: ['envelope:read'] }])
    expect((await admin.put(`/workspaces/${id}/members`, [])).body).toEqual([])
  })

  test('may include admins, for whom the grant changes nothing', async () => {
    const { id, name } = await aWorkspace()
    const other = await signedIn(service)
    const body = [{ adminOrMemberId: other.person.personId, permissions: ['envelope:read'] }]
    expect((await admin.put(`/workspaces/${id}/members`, body)).body).toEqual(body)
    expect(await namesSeenBy(other)).toEqual(await namesSeenBy(admin))
    expect(await namesSeenBy(other)).toContain(name)
  })

  test('must belong to this organisation, or nothing changes', async () => {
    const { id } = await aWorkspace()
    const member = await aMember()
    const foreign = await service.anotherOrganisation()
    const stranger = await aPerson(service.system.database, foreign.organisation.orgId)
    const granted = [{ adminOrMemberId: member.personId, permissions: ['envelope:read'] }]
    await admin.put(`/workspaces/${id}/members`, granted)
    for (const adminOrMemberId of [stranger.personId, randomUUID()]) {
      const { status, body } = await admin.put(`/workspaces/${id}/members`, [...granted, { adminOrMemberId, permissions: [] }])
      expect([status, body.code]).toEqual([404, 'PERSON_NOT_FOUND'])
    }
    expect((await admin.get(`/workspaces/${id}/members`)).body).toEqual(granted)
  })

  test.each([
    ['no list', {}],
    ['a person twice', [entry([]), entry(['envelope:read'])]],
    ['an unknown permission', [entry(['envelope:sign'])]],
    ['a permission twice', [entry(['envelope:send', 'envelope:send'])]],
    ['an id that is none', [{ adminOrMemberId: 'me', permissions: [] }]],
    ['a grant without permissions', [{ adminOrMemberId: randomUUID() }]],
  ])('are refused as %s', async (_case, body) => {
    const { id } = await aWorkspace()
    const answer = await admin.put(`/workspaces/${id}/members`, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('are one of the two lists after concurrent changes', async () => {
    const { id } = await aWorkspace()
    const people = [await aMember(), await aMember(), await aMember()]
    const lists = people.map(({ personId }) => [{ adminOrMemberId: personId, permissions: ['envelope:read'] }])
    const answers = await Promise.all(lists.map((list) => admin.put(`/workspaces/${id}/members`, list)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(lists).toContainEqual((await admin.get(`/workspaces/${id}/members`)).body)
  })
})

function entry(permissions: string[]) {
  return { adminOrMemberId: '22222222-2222-4222-8222-222222222222', permissions }
}

test('the activity shows changes of workspaces, with the names at that time', async () => {
  const { id } = await aWorkspace('Before')
  const { personId } = await aMember()
  await admin.put(`/workspaces/${id}/members`, [{ adminOrMemberId: personId, permissions: ['envelope:send'] }])
  await admin.patch(`/workspaces/${id}`, { name: 'After' })
  await admin.delete(`/workspaces/${id}`)
  const rows = await service.database.owner<{ action: string; detail: object }[]>`
    select action, detail from admin_events where detail ->> 'workspaceId' = ${id} order by id`
  expect(rows.map(({ action, detail }) => [action, detail])).toEqual([
    ['workspace.created', { workspaceId: id, name: 'Before' }],
    ['workspace.members-set', { workspaceId: id, members: [{ personId, permissions: ['envelope:send'] }] }],
    ['workspace.renamed', { workspaceId: id, name: 'After', before: 'Before' }],
    ['workspace.deleted', { workspaceId: id, name: 'After' }],
  ])
})

test("another organisation's workspace and an unknown one are not found", async () => {
  const other = await service.anotherOrganisation()
  for (const id of [other.organisation.generalWorkspaceId, randomUUID()]) {
    const answers = await Promise.all([
      admin.patch(`/workspaces/${id}`, { name: 'mine' }),
      admin.delete(`/workspaces/${id}`),
      admin.get(`/workspaces/${id}/members`),
      admin.put(`/workspaces/${id}/members`, []),
    ])
    for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'WORKSPACE_NOT_FOUND'])
  }
})

test('a member sees General and their own workspaces, an admin every workspace', async () => {
  const [seen, hidden] = [await aWorkspace(), await aWorkspace()]
  const member = await signedIn(service, { role: 'MEMBER' })
  await admin.put(`/workspaces/${seen.id}/members`, [{ adminOrMemberId: member.person.personId, permissions: [] }])
  expect(await namesSeenBy(member)).toEqual(['General', seen.name])
  expect(await namesSeenBy(admin)).toEqual(expect.arrayContaining(['General', seen.name, hidden.name]))
})

test('members cannot change workspaces or see other members', async () => {
  const member = await signedIn(service, { role: 'MEMBER' })
  const { id, name } = await aWorkspace()
  const answers = await Promise.all([
    member.post('/workspaces', { name: 'mine' }),
    member.patch(`/workspaces/${id}`, { name: 'mine' }),
    member.delete(`/workspaces/${id}`),
    member.get(`/workspaces/${id}/members`),
    member.put(`/workspaces/${id}/members`, []),
  ])
  for (const { status, body } of answers) expect([status, body]).toEqual([403, ''])
  expect(await namesSeenBy(admin)).toContain(name)
})
