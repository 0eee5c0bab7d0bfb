import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPerson, panelClient, PASSWORD, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

function newPerson(options: { role?: 'ADMIN' | 'MEMBER'; email?: string } = {}) {
  return aPerson(service.system.database, service.organisation.orgId, options)
}

describe('signing in', () => {
  // requirements: running/panel/POST /session
  test('returns the person, a CSRF token and a cookie that no script and no other site can use', async () => {
    const { personId, email } = await newPerson()
    const { status, body, headers } = await panelClient(service.url).post('/session', { email, password: PASSWORD })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
      admin: { id: personId, email, name: 'Robin', role: 'ADMIN' },
      organisation: { id: service.organisation.orgId, name: 'Test organisation' },
    })
    expect(headers.getSetCookie().slice(0, 1)).toEqual([
      expect.stringMatching(/^sealwright-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
  })

  test('accepts the address in any case', async () => {
    const { email } = await newPerson()
    expect((await panelClient(service.url).signIn(email.toUpperCase(), PASSWORD)).status).toBe(200)
  })

  // requirements: running/panel/POST /session
  test.each([
    ['a wrong password', async () => ({ email: (await newPerson()).email, password: `${PASSWORD}!` })],
    ['an unknown address', async () => ({ email: 'nobody@example.test', password: PASSWORD })],
  ])('answers %s with 401, no body, no cookie', async (_name, pair) => {
    const { status, body, headers } = await panelClient(service.url).post('/session', await pair())
    expect([status, body, headers.getSetCookie()]).toEqual([401, '', []])
    expect(headers.get('www-authenticate')).toBeNull()
  })

  test('never adopts a session that the browser sent', async () => {
    const { email } = await newPerson()
    const client = panelClient(service.url)
    const planted = 'A'.repeat(43)
    client.cookies.set('sealwright-session', planted)
    await client.signIn(email, PASSWORD)
    const first = client.cookies.get('sealwright-session')
    await client.signIn(email, PASSWORD)
    expect(new Set([planted, first, client.cookies.get('sealwright-session')]).size).toBe(3)
  })

  test("ends the browser's previous session, and no other", async () => {
    const { email } = await newPerson()
    const [client, elsewhere] = [panelClient(service.url), panelClient(service.url)]
    await elsewhere.signIn(email, PASSWORD)
    await client.signIn(email, PASSWORD)
    const first = client.cookies.get('sealwright-session')!
    expect((await client.signIn(email, `${PASSWORD}!`)).status).toBe(401)
    expect((await client.get('/session')).status).toBe(200)
    await client.signIn(email, PASSWORD)
    client.cookies.set('sealwright-session', first)
    expect((await client.get('/session')).status).toBe(401)
    expect((await elsewhere.get('/session')).status).toBe(200)
  })

  test("stores only the token's hash", async () => {
    const client = await signedIn(service)
    const token = client.cookies.get('sealwright-session')!
    const rows = await service.database.owner`select token_hash::text as hash, sessions::text as row from sessions`
    expect(rows.some(({ row }) => row.includes(token))).toBe(false)
    expect(await service.readLog()).not.toContain(token)
  })
})

describe('a session', () => {
  // requirements: running/panel/GET, DELETE /session
  test('shows who is signed in', async () => {
    const client = await signedIn(service)
    const { status, body } = await client.get('/session')
    expect(status).toBe(200)
    expect(body).toMatchObject({ csrfToken: client.csrfToken, admin: { email: client.person.email } })
  })

  test.each([
    ['no cookie', undefined],
    ['an unknown token', 'B'.repeat(43)],
    ['a cookie of another shape', 'x'],
  ])('is not there with %s: 401 without a body', async (_name, value) => {
    const client = panelClient(service.url)
    if (value) client.cookies.set('sealwright-session', value)
    const { status, body, headers } = await client.get('/session')
    expect([status, body, headers.get('www-authenticate')]).toEqual([401, '', null])
  })

  test('ends after an hour without use, and not before', async () => {
    const client = await signedIn(service)
    await service.database.moveClock(3_590)
    expect((await client.get('/session')).status).toBe(200)
    await service.database.moveClock(3_590 + 3_590)
    expect((await client.get('/session')).status).toBe(200)
    await service.database.moveClock(3_590 + 3_590 + 3_601)
    expect((await client.get('/session')).status).toBe(401)
    await service.database.moveClock(0)
  })

  test('ends after twelve hours of any use', async () => {
    const client = await signedIn(service)
    for (let minutes = 50; minutes < 720; minutes += 50) {
      await service.database.moveClock(minutes * 60)
      expect((await client.get('/session')).status).toBe(200)
    }
    await service.database.moveClock(12 * 3_600 + 1)
    expect((await client.get('/session')).status).toBe(401)
    await service.database.moveClock(0)
  })

  // requirements: running/panel/GET, DELETE /session
  test('ends at once on sign-out; another browser stays signed in', async () => {
    const client = await signedIn(service)
    const other = panelClient(service.url)
    await other.signIn(client.person.email, PASSWORD)
    const token = client.cookies.get('sealwright-session')!
    expect((await client.delete('/session')).status).toBe(204)
    expect(client.cookies.has('sealwright-session')).toBe(false)
    client.cookies.set('sealwright-session', token)
    expect((await client.get('/session')).status).toBe(401)
    expect((await other.get('/session')).status).toBe(200)
  })

  test("ends in all of the person's browsers, and no one else's, on request", async () => {
    const client = await signedIn(service)
    const other = panelClient(service.url)
    await other.signIn(client.person.email, PASSWORD)
    const colleague = await signedIn(service)
    expect((await client.delete('/session?everywhere=true')).status).toBe(204)
    expect([(await other.get('/session')).status, (await colleague.get('/session')).status]).toEqual([401, 200])
  })
})
