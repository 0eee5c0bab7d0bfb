import { beforeAll, describe, expect, test } from 'vitest'
import { appCode, wrongCode } from '../../support/clients/authenticator.ts'
import type { PersonWithFactor } from '../../support/clients/factor-clock.ts'
import { PASSWORD, signedIn } from '../../support/clients/panel-client.ts'
import { activityOf, answered, factorService } from '../../support/servers/factor-service.ts'

const rig = factorService()
const { stranger, mailsTo } = rig

const BEGIN = { currentPassword: PASSWORD }

describe('setting up', () => {
  // requirements: running/panel/second factor
  test('takes a first code, and gives ten recovery codes this once', async () => {
    const browser = await signedIn(rig.service)
    expect((await browser.get('/factor')).body).toEqual({ set: false, required: false, recoveryCodesLeft: 0 })
    const { status, body } = await browser.post('/factor', BEGIN)
    expect(status).toBe(201)
    expect(body.otpauthUri).toContain(`secret=${body.secret}`)
    expect(answered(await browser.post('/factor/confirm', { code: wrongCode(body.secret, rig.clock.ahead) }))).toEqual([
      422,
      'FACTOR_CODE_WRONG',
    ])
    expect((await browser.get('/factor')).body.set).toBe(false)
    const confirmed = await browser.post('/factor/confirm', { code: appCode(body.secret, rig.clock.ahead) })
    expect([confirmed.status, new Set(confirmed.body.recoveryCodes).size]).toEqual([200, 10])
    for (const code of confirmed.body.recoveryCodes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect((await browser.get('/factor')).body).toEqual({ set: true, required: false, recoveryCodesLeft: 10 })
  })

  test('takes the password, because a browser that was left open is not enough', async () => {
    const browser = await signedIn(rig.service)
    expect(answered(await browser.post('/factor', { currentPassword: 'not the password' }))).toEqual([422, 'PASSWORD_WRONG'])
    expect(answered(await browser.post('/factor'))).toEqual([400, 'VALIDATION_FAILED'])
    expect(answered(await browser.post('/factor/confirm', { code: '123456' }))).toEqual([404, 'FACTOR_NOT_BEGUN'])
  })

  test('has no effect until it is confirmed; beginning again replaces the secret', async () => {
    const browser = await signedIn(rig.service)
    const { body: first } = await browser.post('/factor', BEGIN)
    expect((await stranger().signIn(browser.person.email, PASSWORD)).body.admin.email).toBe(browser.person.email)
    const { body: second } = await browser.post('/factor', BEGIN)
    expect(answered(await browser.post('/factor/confirm', { code: appCode(first.secret, rig.clock.ahead) }))).toEqual([
      422,
      'FACTOR_CODE_WRONG',
    ])
    expect((await browser.post('/factor/confirm', { code: appCode(second.secret, rig.clock.ahead) })).status).toBe(200)
  })

  test('is refused when nothing was begun, and beside one that is set', async () => {
    const browser = await signedIn(rig.service)
    expect(answered(await browser.post('/factor/confirm', { code: '123456' }))).toEqual([404, 'FACTOR_NOT_BEGUN'])
    const { secret } = await rig.clock.setUp(browser)
    expect(answered(await browser.post('/factor', BEGIN))).toEqual([409, 'FACTOR_ALREADY_SET'])
    expect(answered(await browser.post('/factor/confirm', { code: appCode(secret, rig.clock.ahead) }))).toEqual([
      409,
      'FACTOR_ALREADY_SET',
    ])
  })

  test('ends the other sessions and keeps this one', async () => {
    const here = await signedIn(rig.service)
    const elsewhere = stranger()
    await elsewhere.signIn(here.person.email, PASSWORD)
    await rig.clock.setUp(here)
    expect((await here.get('/session')).status).toBe(200)
    expect((await elsewhere.get('/session')).status).toBe(401)
  })

  test('stores neither the secret nor a recovery code as text', async () => {
    const { secret, recoveryCodes, person } = await rig.clock.withFactor()
    const rows = await rig.service.database.owner`
      select f::text || coalesce(string_agg(c::text, ''), '') as row
      from second_factors f join recovery_codes c using (org_id, person_id) where person_id = ${person.personId} group by f`
    const log = await rig.service.readLog()
    for (const text of [secret, ...recoveryCodes, recoveryCodes[0]!.replaceAll('-', '')])
      for (const place of [rows[0]!['row'], log]) expect(place).not.toContain(text)
  })
})

describe('signing in', () => {
  // requirements: running/panel/second factor
  test('takes two steps: without a code there is no session and no cookie', async () => {
    const { person, secret } = await rig.clock.withFactor()
    const browser = stranger()
    const first = await browser.signIn(person.email, PASSWORD)
    expect([first.status, first.body, [...browser.cookies]]).toEqual([200, { factorRequired: true }, []])
    const second = await browser.signIn(person.email, PASSWORD, appCode(secret, rig.clock.ahead))
    expect([second.status, second.body.admin.email]).toEqual([200, person.email])
    expect((await browser.get('/people')).status).toBe(200)
  })

  let one: PersonWithFactor
  beforeAll(async () => {
    one = await rig.clock.withFactor()
  })

  // requirements: running/panel/second factor
  test.each<[string, () => Promise<string> | string]>([
    ['a wrong code', () => wrongCode(one.secret, rig.clock.ahead)],
    ['an old code', () => appCode(one.secret, rig.clock.ahead - 60)],
    ['a code of the future', () => appCode(one.secret, rig.clock.ahead + 60)],
    ['words', () => 'open sesame'],
    ['an empty recovery code', () => '----'],
    ["another person's recovery code", async () => (await rig.clock.withFactor()).recoveryCodes[0]!],
    [
      'a recovery code that was used',
      async () => {
        expect((await stranger().signIn(one.person.email, PASSWORD, one.recoveryCodes[9])).status).toBe(200)
        return one.recoveryCodes[9]!
      },
    ],
    [
      'a code that was used',
      async () => {
        const code = appCode(one.secret, rig.clock.ahead)
        expect((await stranger().signIn(one.person.email, PASSWORD, code)).status).toBe(200)
        return code
      },
    ],
    [
      'a code of an earlier step than the last used one, still near',
      async () => {
        await rig.clock.wait(60)
        const code = appCode(one.secret, rig.clock.ahead)
        await rig.clock.wait(30)
        expect((await stranger().signIn(one.person.email, PASSWORD, appCode(one.secret, rig.clock.ahead))).status).toBe(200)
        return code
      },
    ],
  ])('is refused with %s', async (_what, codeOf) => {
    const { status, body } = await stranger().signIn(one.person.email, PASSWORD, await codeOf())
    expect([status, body]).toEqual([401, ''])
  })

  test('is refused with a wrong password and a right code, which stays unused', async () => {
    const { person, secret } = await rig.clock.withFactor()
    const code = appCode(secret, rig.clock.ahead)
    expect((await stranger().signIn(person.email, 'not the password', code)).status).toBe(401)
    expect((await stranger().signIn(person.email, PASSWORD, code)).status).toBe(200)
  })

  test('without a factor ignores a code', async () => {
    const { person } = await signedIn(rig.service)
    expect((await stranger().signIn(person.email, PASSWORD, '123456')).body.admin.email).toBe(person.email)
  })

  test('works with each recovery code once, in any case and without hyphens, and says so by email and in the activity', async () => {
    const [first = '', second = ''] = one.recoveryCodes
    expect((await stranger().signIn(one.person.email, PASSWORD, first)).status).toBe(200)
    expect((await stranger().signIn(one.person.email, PASSWORD, second.toLowerCase().replaceAll('-', ''))).status).toBe(200)
    expect((await one.get('/factor')).body.recoveryCodesLeft).toBe(7)
    const subjects = (await mailsTo(one.person.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject === 'Recovery code used: Test organisation')).toHaveLength(3)
    expect(await activityOf(one)).toContain('factor.recovery-code-used')
    expect(JSON.stringify(await mailsTo(one.person.email))).not.toContain(first)
  })

  test('is throttled after wrong codes, and the right password without a code does not reset that', async () => {
    const { person, secret } = await rig.clock.withFactor()
    const statuses = []
    for (let time = 0; time < 6; time++) {
      const without = await stranger().signIn(person.email, PASSWORD)
      const { status } = await stranger().signIn(person.email, PASSWORD, wrongCode(secret, rig.clock.ahead))
      statuses.push([without.status, status])
    }
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => [200, 401]), [429, 429]])
    expect(await rig.service.readLog()).toContain('"reason":"wrong code"')
  })

  test('by a session that was started without the factor is not possible', async () => {
    const { person, cookies, csrfToken } = await rig.clock.withFactor()
    const [row] = await rig.service.database.owner`
      update sessions set factor_at = null where person_id = ${person.personId} returning token_hash`
    expect(row).toBeDefined()
    const browser = Object.assign(stranger(), { cookies, csrfToken })
    expect((await browser.get('/session')).status).toBe(401)
  })

  test('after a new password by link still takes the code', async () => {
    const { person } = await rig.clock.withFactor()
    const admin = await signedIn(rig.service)
    await admin.post(`/people/${person.personId}/setup-link`)
    const mail = (await mailsTo(person.email)).find(({ text }) => text.includes('setup#'))
    const setupToken = /setup#([\w-]{43})/.exec(mail!.text)![1]
    expect((await stranger().post('/password', { setupToken, password: 'seven grey herons fishing' })).status).toBe(204)
    expect((await stranger().signIn(person.email, 'seven grey herons fishing')).body).toEqual({ factorRequired: true })
  })
})
