import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inParallel } from '../../support/builders/in-parallel.ts'
import { type PanelClient, panelClient, PASSWORD, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())
afterEach(() => service.database.moveClock(0))

let count = 0
const newEmail = () => `person-${(count += 1)}@example.test`

async function invite(email = newEmail(), role: 'ADMIN' | 'MEMBER' = 'MEMBER') {
  const { status, body } = await admin.post('/people', { email, name: 'Kim', role })
  expect(status).toBe(201)
  return body
}

/** The link's token in the latest email to that address. */
async function mailedToken(email: string): Promise<string> {
  await service.sendMails()
  const mail = (await service.mails.list()).find(({ to }) => to === email)
  const [, token] = /\/settings\/setup#([\w-]{43})\s/.exec(mail!.text) ?? []
  return token!
}

function setPassword(setupToken: string, password = PASSWORD, client: PanelClient = panelClient(service.url)) {
  return client.post('/password', { setupToken, password })
}

describe('inviting', () => {
  test('adds a person without a password', async () => {
    const email = newEmail()
    const record = await invite(email, 'ADMIN')
    expect(record).toMatchObject({ email, name: 'Kim', role: 'ADMIN', state: 'INVITED', lastSignedInAt: null })
    const { body: people } = await admin.get('/people')
    expect(people.find(({ id }: { id: string }) => id === record.id)).toEqual(record)
  })

  // requirements: running/panel/POST /password, running/panel/people
  test('emails a link with which the person sets a password and signs in', async () => {
    const { id, email } = await invite()
    expect((await setPassword(await mailedToken(email))).status).toBe(204)
    expect((await panelClient(service.url).signIn(email, PASSWORD)).status).toBe(200)
    const { body: people } = await admin.get('/people')
    expect(people.find((person: { id: string }) => person.id === id)).toMatchObject({ state: 'ACTIVE', setupLinkExpiresAt: null })
  })

  test('counts the email and stores its link only until it is sent', async () => {
    const { id, email } = await invite()
    const token = await mailedToken(email)
    const [mail] = await service.database.owner`select state, secret_box from mails where person_id = ${id}`
    expect(mail).toEqual({ state: 'DONE', secretBox: null })
    const rows = await service.database.owner`select l::text as row from setup_links l`
    expect(rows.some(({ row }) => row.includes(token))).toBe(false)
    const [quota] = await service.database.owner`
      select sum(used)::int as used from quota_windows where org_id = ${service.organisation.orgId} and dimension = 'EMAILS_PER_HOUR'`
    expect(quota!['used']).toBeGreaterThan(0)
  })

  // requirements: decisions/doors/addresses
  test("rejects the organisation's own addresses, with ASCII letters in any case", async () => {
    const own = await invite('kim.i@example.test')
    for (const email of [admin.person.email.toUpperCase(), own.email.toUpperCase()]) {
      const { status, body } = await admin.post('/people', { email, name: 'Kim', role: 'MEMBER' })
      expect([status, body.code]).toEqual([409, 'EMAIL_TAKEN'])
    }
  })

  // requirements: decisions/doors/addresses
  test('answers like any other for an address of another organisation; only the mail says so', async () => {
    const { organisation } = await service.anotherOrganisation()
    const stranger = await signedIn(service, { orgId: organisation.orgId })
    const { email } = stranger.person
    const shape = (record: object) =>
      Object.entries(record).map(([key, value]) => `${key} ${value === null ? 'null' : typeof value}`)
    const taken = await invite(email.toUpperCase())
    expect(shape(taken)).toEqual(shape(await invite()))
    await service.sendMails()
    const [mail] = (await service.mails.list()).filter(({ to }) => to === email.toUpperCase())
    expect(mail!.text).toContain('already has an account in another organisation')
    expect(mail!.text).not.toContain('http')
    // The person signs in to their own organisation as before.
    const browser = panelClient(service.url)
    expect((await browser.signIn(email, PASSWORD)).body.organisation.id).toBe(organisation.orgId)
    // Once they are removed there, a new invitation works.
    await service.database.owner`delete from people where org_id = ${organisation.orgId} and id = ${stranger.person.personId}`
    expect((await admin.post(`/people/${taken.id}/setup-link`)).status).toBe(204)
    expect((await setPassword(await mailedToken(email.toUpperCase()))).status).toBe(204)
    expect((await panelClient(service.url).signIn(email, PASSWORD)).body.organisation.id).toBe(service.organisation.orgId)
  })

  test.each([
    ['no address', { email: 'kim', name: 'Kim', role: 'MEMBER' }],
    ['no name', { email: 'kim@example.test', name: '', role: 'MEMBER' }],
    ['another role', { email: 'kim@example.test', name: 'Kim', role: 'OWNER' }],
  ])('refuses %s', async (_name, body) => {
    const answer = await admin.post('/people', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('is for admins; members cannot see others', async () => {
    const member = await signedIn(service, { role: 'MEMBER' })
    for (const { status, body } of [
      await member.get('/people'),
      await member.post('/people', { email: newEmail(), name: 'Kim', role: 'ADMIN' }),
      await member.post(`/people/${admin.person.personId}/setup-link`),
      await member.delete(`/people/${admin.person.personId}`),
    ]) {
      expect([status, body]).toEqual([403, ''])
    }
  })

  test("is limited to the session's organisation", async () => {
    const { organisation } = await service.anotherOrganisation()
    const stranger = await signedIn(service, { orgId: organisation.orgId })
    const { body: people } = await stranger.get('/people')
    expect(people.map(({ id }: { id: string }) => id)).toEqual([stranger.person.personId])
    for (const answer of [
      await stranger.delete(`/people/${admin.person.personId}`),
      await stranger.post(`/people/${admin.person.personId}/setup-link`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'PERSON_NOT_FOUND'])
    }
  })
})

describe('the password link', () => {
  // requirements: running/panel/POST /password
  test('works once', async () => {
    const { email } = await invite()
    const token = await mailedToken(email)
    expect((await setPassword(token)).status).toBe(204)
    const { status, body } = await setPassword(token, 'another long enough one')
    expect([status, body.code]).toEqual([404, 'SETUP_LINK_NOT_FOUND'])
    expect((await panelClient(service.url).signIn(email, PASSWORD)).status).toBe(200)
  })

  // requirements: running/panel/POST /password
  test('works once for twenty concurrent requests', async () => {
    const { email } = await invite()
    const token = await mailedToken(email)
    const passwords = Array.from({ length: 20 }, (_, index) => `a long enough one ${index}`)
    const answers = await Promise.all(passwords.map((password) => setPassword(token, password)))
    const won = answers.flatMap(({ status }, index) => (status === 204 ? [index] : []))
    expect(won).toHaveLength(1)
    expect((await panelClient(service.url).signIn(email, passwords[won[0]!]!)).status).toBe(200)
  })

  test('lasts 72 hours', async () => {
    const { email } = await invite()
    const token = await mailedToken(email)
    await service.database.moveClock(72 * 3_600 + 1)
    expect((await setPassword(token)).body.code).toBe('SETUP_LINK_NOT_FOUND')
    await service.database.moveClock(72 * 3_600 - 60)
    expect((await setPassword(token)).status).toBe(204)
  })

  test('is invalidated by a newer one', async () => {
    const { id, email } = await invite()
    const first = await mailedToken(email)
    expect((await admin.post(`/people/${id}/setup-link`)).status).toBe(204)
    const second = await mailedToken(email)
    expect((await setPassword(first)).body.code).toBe('SETUP_LINK_NOT_FOUND')
    expect((await setPassword(second)).status).toBe(204)
  })

  test('is emailed once when a newer one is created before the email is sent', async () => {
    const { id, email } = await invite()
    await admin.post(`/people/${id}/setup-link`)
    await service.sendMails()
    expect((await service.mails.list()).filter(({ to }) => to === email)).toHaveLength(1)
  })

  test('stays valid after a rejected password', async () => {
    const { email } = await invite()
    const token = await mailedToken(email)
    const { status, body } = await setPassword(token, 'passwordpassword')
    expect([status, body.code]).toEqual([422, 'PASSWORD_TOO_WEAK'])
    expect((await setPassword(token)).status).toBe(204)
  })

  test('lets a person reset a forgotten password, ends all sessions and invalidates the old password', async () => {
    const forgetful = await signedIn(service)
    await admin.post(`/people/${forgetful.person.personId}/setup-link`)
    const token = await mailedToken(forgetful.person.email)
    expect((await forgetful.get('/session')).status).toBe(200)
    expect((await setPassword(token, 'something quite different')).status).toBe(204)
    expect((await forgetful.get('/session')).status).toBe(401)
    expect((await panelClient(service.url).signIn(forgetful.person.email, PASSWORD)).status).toBe(401)
  })

  test.each([
    ['of another shape', 'x'],
    ['that was never sent', 'A'.repeat(43)],
  ])('with a token %s is not found', async (_name, token) => {
    const { status, body } = await setPassword(token)
    expect([status, body.code]).toEqual([404, 'SETUP_LINK_NOT_FOUND'])
  })
})

describe('changing', () => {
  test('a name or a role keeps the rest, and the role applies from the next request on', async () => {
    const member = await signedIn(service, { role: 'MEMBER' })
    expect((await member.get('/people')).status).toBe(403)
    const { status, body } = await admin.patch(`/people/${member.person.personId}`, { role: 'ADMIN' })
    expect([status, body.role, body.name, body.email]).toEqual([200, 'ADMIN', 'Robin', member.person.email])
    expect((await member.get('/people')).status).toBe(200)
    const { body: renamed } = await admin.patch(`/people/${member.person.personId}`, { name: 'Robin the Second' })
    expect(renamed).toMatchObject({ name: 'Robin the Second', role: 'ADMIN' })
    const { body: people } = await admin.get('/people')
    expect(people).toContainEqual(renamed)
  })

  test('keeps one of two admins who demote each other concurrently', async () => {
    await inParallel(Array.from({ length: 5 }), 3, async () => {
      const { organisation } = await service.anotherOrganisation()
      const [one, two] = [
        await signedIn(service, { orgId: organisation.orgId }),
        await signedIn(service, { orgId: organisation.orgId }),
      ]
      await Promise.all([
        one.patch(`/people/${two.person.personId}`, { role: 'MEMBER' }),
        two.patch(`/people/${one.person.personId}`, { role: 'MEMBER' }),
      ])
      const rows = await service.database.owner`select id from people where org_id = ${organisation.orgId} and role = 'ADMIN'`
      expect(rows).toHaveLength(1)
    })
  })

  test("rejects the last admin's demotion, and is limited to the session's organisation", async () => {
    const { organisation } = await service.anotherOrganisation()
    const only = await signedIn(service, { orgId: organisation.orgId })
    const refused = await only.patch(`/people/${only.person.personId}`, { role: 'MEMBER' })
    expect([refused.status, refused.body.code]).toEqual([409, 'LAST_ADMIN'])
    expect((await only.patch(`/people/${only.person.personId}`, { role: 'ADMIN', name: 'Only' })).status).toBe(200)
    const foreign = await only.patch(`/people/${admin.person.personId}`, { name: 'Taken over' })
    expect([foreign.status, foreign.body.code]).toEqual([404, 'PERSON_NOT_FOUND'])
  })
})

describe('removing', () => {
  test('signs the person out at once and frees their address', async () => {
    const colleague = await signedIn(service)
    expect((await admin.delete(`/people/${colleague.person.personId}`)).status).toBe(204)
    expect((await colleague.get('/session')).status).toBe(401)
    expect((await panelClient(service.url).signIn(colleague.person.email, PASSWORD)).status).toBe(401)
    await invite(colleague.person.email)
  })

  test('deletes their unsent email', async () => {
    const { id, email } = await invite()
    await admin.delete(`/people/${id}`)
    await service.sendMails()
    expect((await service.mails.list()).some(({ to }) => to === email)).toBe(false)
  })

  // requirements: running/panel/people
  test('rejects the last admin, though not the last member', async () => {
    const { organisation } = await service.anotherOrganisation()
    const only = await signedIn(service, { orgId: organisation.orgId })
    const member = await signedIn(service, { orgId: organisation.orgId, role: 'MEMBER' })
    const { status, body } = await only.delete(`/people/${only.person.personId}`)
    expect([status, body.code]).toEqual([409, 'LAST_ADMIN'])
    expect((await only.delete(`/people/${member.person.personId}`)).status).toBe(204)
  })

  test('rejects the last admin who can sign in, beside one who is only invited', async () => {
    const { organisation } = await service.anotherOrganisation()
    const only = await signedIn(service, { orgId: organisation.orgId })
    const { body: invited } = await only.post('/people', { email: newEmail(), name: 'Kim', role: 'ADMIN' })
    const gone = await only.delete(`/people/${only.person.personId}`)
    const demoted = await only.patch(`/people/${only.person.personId}`, { role: 'MEMBER' })
    for (const { status, body } of [gone, demoted]) expect([status, body.code]).toEqual([409, 'LAST_ADMIN'])
    expect((await only.delete(`/people/${invited.id}`)).status).toBe(204)
  })

  test('keeps one of two admins who remove each other concurrently', async () => {
    await inParallel(Array.from({ length: 10 }), 5, async () => {
      const { organisation } = await service.anotherOrganisation()
      const [one, two] = [
        await signedIn(service, { orgId: organisation.orgId }),
        await signedIn(service, { orgId: organisation.orgId }),
      ]
      await Promise.all([one.delete(`/people/${two.person.personId}`), two.delete(`/people/${one.person.personId}`)])
      const rows = await service.database.owner`select id from people where org_id = ${organisation.orgId}`
      expect(rows).toHaveLength(1)
    })
  })
})
