import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { panelClient, PASSWORD, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const actionsOf = (content: { action: string }[]) => content.map(({ action }) => action)

describe('the activity', () => {
  test('shows actor, action, subject and address, newest first', async () => {
    const { body: kim } = await admin.post('/people', { email: 'kim@example.test', name: 'Kim', role: 'MEMBER' })
    await admin.post(`/people/${kim.id}/setup-link`)
    await admin.delete(`/people/${kim.id}`)
    const { status, body } = await admin.get('/activity')
    expect(status).toBe(200)
    expect(actionsOf(body.content)).toEqual([
      'person.removed',
      'person.invited-again',
      'person.invited',
      'session.started',
      'organisation.created',
    ])
    expect(body.content[2]).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      actor: 'PERSON',
      person: { id: admin.person.personId, email: admin.person.email },
      action: 'person.invited',
      detail: { personId: kim.id, email: 'kim@example.test', role: 'MEMBER' },
      address: '127.0.0.1',
    })
    expect(body).toMatchObject({ page: 0, size: 20, totalElements: 5, totalPages: 1, totalCapped: false })
  })

  test('does not show rejected requests', async () => {
    await admin.post('/people', { email: admin.person.email, name: 'Kim', role: 'MEMBER' })
    await admin.delete(`/people/${admin.person.personId}`)
    await panelClient(service.url).signIn(admin.person.email, 'not the password at all')
    const { body } = await admin.get('/activity')
    expect(body.totalElements).toBe(5)
  })

  test('shows that a person set a password', async () => {
    const { body: lee } = await admin.post('/people', { email: 'lee@example.test', name: 'Lee', role: 'ADMIN' })
    await service.sendMails()
    const [, setupToken] = /setup#([\w-]{43})/.exec((await service.mails.list()).find(({ to }) => to === lee.email)!.text)!
    await panelClient(service.url).post('/password', { setupToken, password: PASSWORD })
    const { body } = await admin.get('/activity?size=1')
    expect(body.content[0]).toMatchObject({ action: 'password.set', person: { id: lee.id, email: lee.email } })
    expect(JSON.stringify(body)).not.toContain(setupToken)
  })

  test("shows the operator's actions as such", async () => {
    const { body } = await admin.get('/activity?size=100')
    expect(body.content.at(-1)).toMatchObject({
      actor: 'OPERATOR',
      person: null,
      action: 'organisation.created',
      detail: { name: 'Test organisation' },
      address: null,
    })
  })

  test('is paged', async () => {
    const { body: all } = await admin.get('/activity')
    const { body: second } = await admin.get('/activity?page=1&size=2')
    expect(second.content).toEqual(all.content.slice(2, 4))
    expect(second).toMatchObject({ page: 1, size: 2, totalElements: all.totalElements })
    const tooDeep = await admin.get('/activity?page=5000&size=100')
    expect([tooDeep.status, tooDeep.body.code]).toEqual([400, 'PAGE_TOO_DEEP'])
  })

  test('shows only the own organisation', async () => {
    const { organisation } = await service.anotherOrganisation()
    const stranger = await signedIn(service, { orgId: organisation.orgId })
    const { body } = await stranger.get('/activity')
    expect(body.content.map(({ person }: { person: { id: string } | null }) => person?.id)).toEqual([
      stranger.person.personId,
      undefined,
    ])
  })
})
