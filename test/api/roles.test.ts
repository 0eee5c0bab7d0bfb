// Read access for random grants to a credential and to a member: every operation that shows envelopes must agree.
import { PERMISSIONS } from '#core/account/workspace/rules.ts'
import { fc, runs } from '../support/builders/properties.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/clients/api-client.ts'
import { aDraft, ADA } from '../support/builders/envelopes.ts'
import { type PanelClient, signedIn, type TestPerson } from '../support/clients/panel-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let admin: PanelClient & { person: TestPerson }
let member: PanelClient & { person: TestPerson }
let credentialId: string
let workspaces: string[]
let envelopes: { id: string; workspaceId: string }[]

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
  member = await signedIn(service, { role: 'MEMBER' })
  credentialId = (await admin.get('/credentials')).body[0].id
  const created = await Promise.all(['A', 'B', 'C'].map((name) => admin.post('/workspaces', { name })))
  workspaces = [service.organisation.generalWorkspaceId, ...created.map(({ body }) => body.id)]
  await grantToCredential(Object.fromEntries(workspaces.map((id) => [id, [...PERMISSIONS]])))
  envelopes = []
  for (let number = 0; number < 8; number++) {
    const workspaceId = workspaces[number % 4]!
    const { id } = number < 4 ? await aDraft(service.client, { workspaceId }) : await aBareDraft(workspaceId)
    envelopes.push({ id, workspaceId })
  }
})
afterAll(() => service[Symbol.asyncDispose]())

async function aBareDraft(workspaceId: string): Promise<{ id: string }> {
  return (await service.client.post('/api/v1/envelopes', { title: 'x', signers: [ADA], workspaceId })).body
}

/** Workspace to permissions; absent: no role there. */
type Grants = Record<string, string[]>

async function grantToCredential(grants: Grants): Promise<void> {
  const body = { workspaces: Object.entries(grants).map(([workspaceId, permissions]) => ({ workspaceId, permissions })) }
  const { status } = await admin.patch(`/credentials/${credentialId}`, body)
  expect(status).toBe(200)
}

async function grantToMember(grants: Grants): Promise<void> {
  const changed = workspaces.map((id) => {
    const permissions = grants[id]
    return admin.put(`/workspaces/${id}/members`, permissions ? [{ adminOrMemberId: member.person.personId, permissions }] : [])
  })
  for (const { status } of await Promise.all(changed)) expect(status).toBe(200)
}

interface Reader {
  get(path: string): Promise<Answer>
}

const asCredential = (): Reader => ({ get: (path) => service.client.get(`/api/v1${path}`) })

async function expectToSee(reader: Reader, grants: Grants): Promise<void> {
  const readable = new Set(envelopes.filter(({ workspaceId }) => workspaceId in grants).map(({ id }) => id))
  const { body: page } = await reader.get('/envelopes')
  expect(new Set(page.content.map(({ id }: { id: string }) => id))).toEqual(readable)
  const { body: stats } = await reader.get('/envelopes/stats')
  expect([page.totalElements, stats.total]).toEqual([readable.size, readable.size])
  const looked = envelopes.map(async ({ id, workspaceId }) => {
    const [envelope, documents] = await Promise.all([reader.get(`/envelopes/${id}`), reader.get(`/envelopes/${id}/documents`)])
    const expected = readable.has(id) ? 200 : 404
    expect([envelope.status, documents.status]).toEqual([expected, expected])
    const mayDownload = grants[workspaceId]?.includes('document:download') ?? false
    if (expected === 200) {
      for (const { downloadUrl } of documents.body) expect(downloadUrl !== null).toBe(mayDownload)
    }
  })
  await Promise.all(looked)
  const { body: seen } = await reader.get('/workspaces')
  const [general] = workspaces
  const visible = workspaces.filter((id) => id === general || id in grants)
  expect(new Set(seen.map(({ id }: { id: string }) => id))).toEqual(new Set(visible))
}

// requirements: decisions/smaller/General
test('for random grants to a credential and a member, lists, counts, envelopes, documents and workspaces agree', async () => {
  const role = fc.option(fc.subarray([...PERMISSIONS]), { nil: undefined })
  const grants = fc
    .tuple(role, role, role, role)
    .map((roles): Grants =>
      Object.fromEntries(roles.flatMap((permissions, index) => (permissions ? [[workspaces[index]!, permissions]] : []))),
    )
  await fc.assert(
    fc.asyncProperty(grants, grants, async (credentials, members) => {
      await Promise.all([grantToCredential(credentials), grantToMember(members)])
      await Promise.all([expectToSee(asCredential(), credentials), expectToSee(member, members)])
    }),
    { numRuns: runs(10) },
  )
})

test('an admin sees everything, with or without a grant', async () => {
  await grantToMember({})
  await expectToSee(admin, Object.fromEntries(workspaces.map((id) => [id, [...PERMISSIONS]])))
})

test('a document of an unreadable envelope is not found for another envelope either', async () => {
  const [general, other] = workspaces
  await grantToCredential({ [general!]: [...PERMISSIONS], [other!]: [...PERMISSIONS] })
  const draft = await aDraft(service.client, { workspaceId: other })
  const { body: documents } = await service.client.get(`/api/v1/envelopes/${draft.id}/documents`)
  const again = { title: 'x', signers: [ADA], documentIds: [documents[0].id] }
  const codeOf = async () => (await service.client.post('/api/v1/envelopes', again)).body.code
  expect(await codeOf()).toBe('DOCUMENT_ALREADY_ATTACHED')
  await grantToCredential({ [general!]: [...PERMISSIONS] })
  expect(await codeOf()).toBe('DOCUMENT_NOT_FOUND')
})
