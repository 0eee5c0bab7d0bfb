import { argon2Sync } from 'node:crypto'
import { findAccount } from '#core/account/person/store.ts'
import { startSession } from '#core/account/session/start-session.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aPerson, panelClient, PASSWORD, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())
afterEach(() => service.database.moveClock(0))

const NEW_PASSWORD = 'seven grey herons fishing'

describe('a person who changes the password', () => {
  test('keeps this browser signed in with a new session, and is signed out everywhere else', async () => {
    const here = await signedIn(service)
    const elsewhere = panelClient(service.url)
    await elsewhere.signIn(here.person.email, PASSWORD)
    const before = here.cookies.get('sealwright-session')!
    const { status, body } = await here.put('/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
    expect([status, body.admin.email]).toEqual([200, here.person.email])
    expect(body.csrfToken).not.toBe(here.csrfToken)
    expect((await here.get('/session')).status).toBe(200)
    expect((await elsewhere.get('/session')).status).toBe(401)
    here.cookies.set('sealwright-session', before)
    expect((await here.get('/session')).status).toBe(401)
  })

  test('can sign in only with the new one', async () => {
    const browser = await signedIn(service)
    const { person } = browser
    await browser.put('/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
    expect((await panelClient(service.url).signIn(person.email, PASSWORD)).status).toBe(401)
    expect((await panelClient(service.url).signIn(person.email, NEW_PASSWORD)).status).toBe(200)
  })

  test('gets an email without the password; a first password sends none', async () => {
    const browser = await signedIn(service)
    const mailsTo = async (address: string) => {
      await service.sendMails()
      return (await service.mails.list()).filter(({ to }) => to === address)
    }
    await browser.put('/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
    const [mail, ...others] = await mailsTo(browser.person.email)
    expect(others).toEqual([])
    expect(mail!.subject).toBe('Your Sealwright password was changed: Test organisation')
    expect(mail!.text).toContain('from the address 127.0.0.1')
    for (const secret of [PASSWORD, NEW_PASSWORD]) expect(JSON.stringify(mail)).not.toContain(secret)

    const admin = await signedIn(service)
    const { body: lee } = await admin.post('/people', { email: 'lee@example.test', name: 'Lee', role: 'MEMBER' })
    const setupTokenOf = (text: string) => /setup#([\w-]{43})/.exec(text)![1]
    const subjects = async () => (await mailsTo(lee.email)).map(({ subject }) => subject.replace(/:.*/, ''))
    const [invitation] = await mailsTo(lee.email)
    await panelClient(service.url).post('/password', { setupToken: setupTokenOf(invitation!.text), password: PASSWORD })
    expect(await subjects()).toEqual(['Your access to Sealwright'])
    await admin.post(`/people/${lee.id}/setup-link`)
    const [again] = await mailsTo(lee.email)
    await panelClient(service.url).post('/password', { setupToken: setupTokenOf(again!.text), password: NEW_PASSWORD })
    expect((await subjects())[0]).toBe('Your Sealwright password was changed')
  })

  test('gets that email even when another link is sent', async () => {
    const admin = await signedIn(service)
    const browser = await signedIn(service)
    await browser.put('/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
    await admin.post(`/people/${browser.person.personId}/setup-link`)
    await service.sendMails()
    const subjects = (await service.mails.list()).filter(({ to }) => to === browser.person.email).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.startsWith('Your Sealwright password was changed'))).toHaveLength(1)
  })

  test('must know the old one: wrong guesses in an open session are throttled', async () => {
    const browser = await signedIn(service, { role: 'MEMBER' })
    const answers = []
    for (let tries = 0; tries < 6; tries++) {
      const { status, body } = await browser.put('/password', { currentPassword: `guess ${tries}`, newPassword: NEW_PASSWORD })
      answers.push([status, body.code])
    }
    expect(answers).toEqual([...Array.from({ length: 5 }, () => [422, 'PASSWORD_WRONG']), [429, 'RATE_LIMITED']])
    expect((await panelClient(service.url).signIn(browser.person.email, PASSWORD)).status).toBe(200)
  })

  test('cannot choose an easy one', async () => {
    const browser = await signedIn(service)
    const { status, body } = await browser.put('/password', { currentPassword: PASSWORD, newPassword: 'passwordpassword' })
    expect([status, body.code]).toEqual([422, 'PASSWORD_TOO_WEAK'])
    expect((await browser.get('/session')).status).toBe(200)
  })
})

describe('a stored hash', () => {
  const hashOf = async (personId: string): Promise<string> => {
    const [row] = await service.database.owner`select password_hash from people where id = ${personId}`
    return row!['passwordHash']
  }

  test('with weaker parameters is renewed by the next sign-in', async () => {
    const { personId, email } = await aPerson(service.system.database, service.organisation.orgId)
    const nonce = Buffer.alloc(16, 3)
    const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, memory: 8_192, passes: 1, parallelism: 1, tagLength: 32 })
    const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
    await service.database.owner`
      update people set password_hash = ${`$argon2id$v=19$m=8192,t=1,p=1$${text(nonce)}$${text(tag)}`} where id = ${personId}`
    expect((await panelClient(service.url).signIn(email, `${PASSWORD}!`)).status).toBe(401)
    expect(await hashOf(personId)).toContain('m=8192')
    expect((await panelClient(service.url).signIn(email, PASSWORD)).status).toBe(200)
    expect(await hashOf(personId)).toContain('m=19456,t=2')
    expect((await panelClient(service.url).signIn(email, PASSWORD)).status).toBe(200)
  })

  test('replaced during the check of the old password starts no session', async () => {
    const { orgId } = service.organisation
    const { personId } = await aPerson(service.system.database, orgId)
    const account = await findAccount(service.system.database, orgId, personId)
    await service.database.owner`update people set password_hash = 'another' where id = ${personId}`
    const origin = { address: null, userAgent: null }
    const started = await startSession(service.system.database, orgId, account!, { method: 'password', origin })
    expect(started).toBe(undefined)
    expect(await service.database.owner`select 1 from sessions where person_id = ${personId}`).toHaveLength(0)
  })
})
