import { inOrganisation } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PANEL_ROUTES } from '../../../api/routes/index.ts'
import { appCode, setUpFactor, type TestFactor, wrongCode } from '../../support/clients/authenticator.ts'
import type { Answer } from '../../support/clients/api-client.ts'
import { type PanelClient, panelClient, PASSWORD, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
/** How far the clock of the database is ahead. It never goes back: that would make every code a used one. */
let ahead = 0

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(() => service.database.owner`delete from sign_in_counters`)

/** Moves the clock, so that the app shows a code that was not used yet. */
async function wait(seconds: number): Promise<void> {
  ahead += seconds
  await service.database.moveClock(ahead)
}

type Browser = Awaited<ReturnType<typeof signedIn>>
type WithFactor = Browser & TestFactor

async function setUp(browser: Browser): Promise<WithFactor> {
  const factor = await setUpFactor(browser, ahead)
  await wait(30)
  return Object.assign(browser, factor)
}

const withFactor = async (options: Parameters<typeof signedIn>[1] = {}) => setUp(await signedIn(service, options))
const stranger = (): PanelClient => panelClient(service.url)
const answered = ({ status, body }: Answer) => [status, body.code]

async function mailsTo(address: string) {
  await service.sendMails()
  return (await service.mails.list()).filter(({ to }) => to === address)
}

async function activityOf(browser: PanelClient): Promise<string[]> {
  const { body } = await browser.get('/activity')
  return body.content.map(({ action }: { action: string }) => action)
}

describe('setting up', () => {
  // requirements: running/panel/second factor
  test('takes a first code, and gives ten recovery codes this once', async () => {
    const browser = await signedIn(service)
    expect((await browser.get('/factor')).body).toEqual({ set: false, required: false, recoveryCodesLeft: 0 })
    const { status, body } = await browser.post('/factor')
    expect(status).toBe(201)
    expect(body.otpauthUri).toContain(`secret=${body.secret}`)
    expect(answered(await browser.post('/factor/confirm', { code: wrongCode(body.secret) }))).toEqual([422, 'FACTOR_CODE_WRONG'])
    expect((await browser.get('/factor')).body.set).toBe(false)
    const confirmed = await browser.post('/factor/confirm', { code: appCode(body.secret) })
    expect([confirmed.status, new Set(confirmed.body.recoveryCodes).size]).toEqual([200, 10])
    for (const code of confirmed.body.recoveryCodes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect((await browser.get('/factor')).body).toEqual({ set: true, required: false, recoveryCodesLeft: 10 })
  })

  test('has no effect until it is confirmed; beginning again replaces the secret', async () => {
    const browser = await signedIn(service)
    const { body: first } = await browser.post('/factor')
    expect((await stranger().signIn(browser.person.email, PASSWORD)).body.admin.email).toBe(browser.person.email)
    const { body: second } = await browser.post('/factor')
    expect(answered(await browser.post('/factor/confirm', { code: appCode(first.secret) }))).toEqual([422, 'FACTOR_CODE_WRONG'])
    expect((await browser.post('/factor/confirm', { code: appCode(second.secret) })).status).toBe(200)
  })

  test('is refused when nothing was begun, and beside one that is set', async () => {
    const browser = await signedIn(service)
    expect(answered(await browser.post('/factor/confirm', { code: '123456' }))).toEqual([404, 'FACTOR_NOT_BEGUN'])
    const { secret } = await setUp(browser)
    expect(answered(await browser.post('/factor'))).toEqual([409, 'FACTOR_ALREADY_SET'])
    expect(answered(await browser.post('/factor/confirm', { code: appCode(secret, ahead) }))).toEqual([409, 'FACTOR_ALREADY_SET'])
  })

  test('ends the other sessions and keeps this one', async () => {
    const here = await signedIn(service)
    const elsewhere = stranger()
    await elsewhere.signIn(here.person.email, PASSWORD)
    await setUp(here)
    expect((await here.get('/session')).status).toBe(200)
    expect((await elsewhere.get('/session')).status).toBe(401)
  })

  test('stores neither the secret nor a recovery code as text', async () => {
    const { secret, recoveryCodes, person } = await withFactor()
    const rows = await service.database.owner`
      select f::text || coalesce(string_agg(c::text, ''), '') as row
      from second_factors f join recovery_codes c using (org_id, person_id) where person_id = ${person.personId} group by f`
    const log = await service.readLog()
    for (const text of [secret, ...recoveryCodes, recoveryCodes[0]!.replaceAll('-', '')])
      for (const place of [rows[0]!['row'], log]) expect(place).not.toContain(text)
  })
})

describe('signing in', () => {
  // requirements: running/panel/second factor
  test('takes two steps: without a code there is no session and no cookie', async () => {
    const { person, secret } = await withFactor()
    const browser = stranger()
    const first = await browser.signIn(person.email, PASSWORD)
    expect([first.status, first.body, [...browser.cookies]]).toEqual([200, { factorRequired: true }, []])
    const second = await browser.signIn(person.email, PASSWORD, appCode(secret, ahead))
    expect([second.status, second.body.admin.email]).toEqual([200, person.email])
    expect((await browser.get('/people')).status).toBe(200)
  })

  let one: WithFactor
  beforeAll(async () => {
    one = await withFactor()
  })

  // requirements: running/panel/second factor
  test.each<[string, () => Promise<string> | string]>([
    ['a wrong code', () => wrongCode(one.secret, ahead)],
    ['an old code', () => appCode(one.secret, ahead - 60)],
    ['a code of the future', () => appCode(one.secret, ahead + 60)],
    ['words', () => 'open sesame'],
    ['an empty recovery code', () => '----'],
    ["another person's recovery code", async () => (await withFactor()).recoveryCodes[0]!],
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
        const code = appCode(one.secret, ahead)
        expect((await stranger().signIn(one.person.email, PASSWORD, code)).status).toBe(200)
        return code
      },
    ],
    [
      'a code of an earlier step than the last used one, still near',
      async () => {
        await wait(60)
        const code = appCode(one.secret, ahead)
        await wait(30)
        expect((await stranger().signIn(one.person.email, PASSWORD, appCode(one.secret, ahead))).status).toBe(200)
        return code
      },
    ],
  ])('is refused with %s', async (_what, codeOf) => {
    const { status, body } = await stranger().signIn(one.person.email, PASSWORD, await codeOf())
    expect([status, body]).toEqual([401, ''])
  })

  test('is refused with a wrong password and a right code, which stays unused', async () => {
    const { person, secret } = await withFactor()
    const code = appCode(secret, ahead)
    expect((await stranger().signIn(person.email, 'not the password', code)).status).toBe(401)
    expect((await stranger().signIn(person.email, PASSWORD, code)).status).toBe(200)
  })

  test('without a factor ignores a code', async () => {
    const { person } = await signedIn(service)
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
    const { person, secret } = await withFactor()
    const statuses = []
    for (let time = 0; time < 6; time++) {
      const without = await stranger().signIn(person.email, PASSWORD)
      const { status } = await stranger().signIn(person.email, PASSWORD, wrongCode(secret, ahead))
      statuses.push([without.status, status])
    }
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => [200, 401]), [429, 429]])
    expect(await service.readLog()).toContain('"reason":"wrong code"')
  })

  test('by a session that was started without the factor is not possible', async () => {
    const { person, cookies, csrfToken } = await withFactor()
    const [row] = await service.database.owner`
      update sessions set factor_at = null where person_id = ${person.personId} returning token_hash`
    expect(row).toBeDefined()
    const browser = Object.assign(stranger(), { cookies, csrfToken })
    expect((await browser.get('/session')).status).toBe(401)
  })

  test('after a new password by link still takes the code', async () => {
    const { person } = await withFactor()
    const admin = await signedIn(service)
    await admin.post(`/people/${person.personId}/setup-link`)
    const [mail] = (await mailsTo(person.email)).filter(({ text }) => text.includes('setup#'))
    const setupToken = /setup#([\w-]{43})/.exec(mail!.text)![1]
    expect((await stranger().post('/password', { setupToken, password: 'seven grey herons fishing' })).status).toBe(204)
    expect((await stranger().signIn(person.email, 'seven grey herons fishing')).body).toEqual({ factorRequired: true })
  })
})

describe('an old proof', () => {
  const STALE = 15 * 60 + 1
  const changes: readonly [string, (browser: Browser) => Promise<Answer>][] = [
    ['a new credential', (browser) => browser.post('/credentials', { name: 'CRM', workspaces: [] })],
    [
      'an invitation',
      (browser) => browser.post('/people', { email: `p-${Date.now()}@example.test`, name: 'Kim', role: 'MEMBER' }),
    ],
    ['a role', (browser) => browser.patch(`/people/${browser.person.personId}`, { role: 'ADMIN' })],
    ['the organisation', (browser) => browser.patch('/organisation', { requireSecondFactor: false })],
    ['recovery codes', (browser) => browser.post('/factor/recovery-codes')],
    [
      'the password',
      (browser) => browser.put('/password', { currentPassword: PASSWORD, newPassword: 'seven grey herons fishing' }),
    ],
  ]

  test('does not permit changes of keys, credentials and people; a code does, for 15 minutes', async () => {
    const browser = await withFactor()
    await wait(STALE)
    for (const [what, change] of changes)
      expect([what, ...answered(await change(browser))]).toEqual([what, 403, 'STEP_UP_REQUIRED'])
    expect((await browser.get('/people')).status).toBe(200)
    expect((await browser.post('/session/step-up', { code: appCode(browser.secret, ahead) })).status).toBe(204)
    await wait(STALE - 60)
    for (const [what, change] of changes) expect([what, (await change(browser)).status < 300]).toEqual([what, true])
  })

  test('is asked for by every operation on keys, credentials and people', () => {
    const asking = PANEL_ROUTES.flatMap((route) =>
      route.audience === 'panel' && route.factor === 'recent'
        ? [`${route.method} ${route.path.replace('/settings/api', '')}`]
        : [],
    )
    expect(asking.toSorted()).toEqual([
      'delete /credentials/:id',
      'delete /people/:id',
      'delete /people/:id/factor',
      'patch /credentials/:id',
      'patch /organisation',
      'patch /people/:id',
      'post /credentials',
      'post /credentials/:id/revoke-previous-secret',
      'post /credentials/:id/rotate-secret',
      'post /factor/recovery-codes',
      'post /people',
      'post /people/:id/setup-link',
      'post /webhooks/:id/reveal-secret',
      'post /webhooks/:id/revoke-previous-secret',
      'post /webhooks/:id/rotate-secret',
      'put /password',
      'put /workspaces/:id/members',
    ])
  })

  test('is not renewed by a wrong or used code, whose tries are throttled', async () => {
    const browser = await withFactor()
    await wait(STALE)
    const code = appCode(browser.secret, ahead)
    expect((await browser.post('/session/step-up', { code })).status).toBe(204)
    expect(answered(await browser.post('/session/step-up', { code }))).toEqual([422, 'FACTOR_CODE_WRONG'])
    for (let time = 0; time < 4; time++)
      expect((await browser.post('/session/step-up', { code: wrongCode(browser.secret, ahead) })).status).toBe(422)
    expect((await browser.post('/session/step-up', { code: wrongCode(browser.secret, ahead) })).status).toBe(429)
    expect(await service.readLog()).toContain('factor.refused')
  })

  test('is not asked of people without a factor, and proves nothing for them', async () => {
    const browser = await signedIn(service)
    expect(answered(await browser.post('/session/step-up', { code: '123456' }))).toEqual([422, 'FACTOR_CODE_WRONG'])
    expect((await browser.post('/credentials', { name: 'CRM', workspaces: [] })).status).toBe(201)
  })
})

describe('a required factor', () => {
  async function strictOrganisation() {
    const { organisation } = await service.anotherOrganisation()
    const admin = await withFactor({ orgId: organisation.orgId })
    const member = await signedIn(service, { orgId: organisation.orgId, role: 'MEMBER' })
    const { status, body } = await admin.patch('/organisation', { requireSecondFactor: true })
    expect([status, body.requireSecondFactor]).toEqual([200, true])
    return { admin, member, organisation }
  }

  // requirements: running/panel/second factor, running/panel/organisation
  test('lets people without one only set it up, at once and after signing in', async () => {
    const { admin, member } = await strictOrganisation()
    expect((await admin.get('/people')).status).toBe(200)
    expect(answered(await member.get('/organisation'))).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
    const again = Object.assign(stranger(), { person: member.person })
    expect((await again.signIn(member.person.email, PASSWORD)).body.mustSetUpFactor).toBe(true)
    for (const answer of [
      await again.get('/envelopes'),
      await again.put('/password', { currentPassword: PASSWORD, newPassword: 'seven grey herons fishing' }),
      await again.delete('/factor', { code: '123456' }),
      await again.get('/people'),
    ])
      expect(answered(answer)).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
    expect((await again.get('/factor')).body).toEqual({ set: false, required: true, recoveryCodesLeft: 0 })
    await setUp(again)
    expect((await again.get('/session')).body.mustSetUpFactor).toBeUndefined()
    expect((await again.get('/organisation')).status).toBe(200)
  })

  test('that is removed has to be set up again', async () => {
    const { admin } = await strictOrganisation()
    expect((await admin.delete('/factor', { code: admin.recoveryCodes[0] })).status).toBe(204)
    expect(answered(await admin.get('/people'))).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
    await setUp(admin)
    expect((await admin.get('/people')).status).toBe(200)
  })
})

describe('removing', () => {
  // requirements: running/panel/second factor
  test('takes a code, ends the other sessions and keeps this one', async () => {
    const here = await withFactor()
    const elsewhere = stranger()
    await elsewhere.signIn(here.person.email, PASSWORD, appCode(here.secret, ahead))
    await wait(30)
    expect(answered(await here.delete('/factor', { code: wrongCode(here.secret, ahead) }))).toEqual([422, 'FACTOR_CODE_WRONG'])
    expect((await here.delete('/factor', { code: appCode(here.secret, ahead) })).status).toBe(204)
    expect((await here.get('/factor')).body).toEqual({ set: false, required: false, recoveryCodesLeft: 0 })
    expect((await elsewhere.get('/session')).status).toBe(401)
    expect((await stranger().signIn(here.person.email, PASSWORD)).body.admin.email).toBe(here.person.email)
    expect(answered(await here.delete('/factor', { code: '123456' }))).toEqual([404, 'FACTOR_NOT_SET'])
  })
})

describe('new recovery codes', () => {
  test('replace the earlier ones', async () => {
    const one = await withFactor()
    const { status, body } = await one.post('/factor/recovery-codes')
    expect([status, body.recoveryCodes.length]).toEqual([200, 10])
    expect((await stranger().signIn(one.person.email, PASSWORD, one.recoveryCodes[0])).status).toBe(401)
    expect((await stranger().signIn(one.person.email, PASSWORD, body.recoveryCodes[0])).status).toBe(200)
  })

  test('are for people with a factor', async () => {
    expect(answered(await (await signedIn(service)).post('/factor/recovery-codes'))).toEqual([404, 'FACTOR_NOT_SET'])
  })
})

describe('resetting', () => {
  // requirements: running/panel/second factor
  test("by another admin ends the person's sessions, and the list shows it", async () => {
    const admin = await signedIn(service)
    const lost = await withFactor({ role: 'MEMBER' })
    const listed = async () => {
      const { body } = await admin.get('/people')
      return body.find(({ id }: { id: string }) => id === lost.person.personId).secondFactor
    }
    expect(await listed()).toBe(true)
    expect((await admin.delete(`/people/${lost.person.personId}/factor`)).status).toBe(204)
    expect([await listed(), (await lost.get('/session')).status]).toEqual([false, 401])
    expect((await stranger().signIn(lost.person.email, PASSWORD)).body.admin.email).toBe(lost.person.email)
    expect(answered(await admin.delete(`/people/${lost.person.personId}/factor`))).toEqual([404, 'FACTOR_NOT_SET'])
  })

  test('is not for oneself, members or admins of another organisation, and takes a recent proof', async () => {
    const lost = await withFactor()
    const path = `/people/${lost.person.personId}/factor`
    const { organisation } = await service.anotherOrganisation()
    const foreign = await signedIn(service, { orgId: organisation.orgId })
    const colleague = await withFactor()
    expect(answered(await lost.delete(path))).toEqual([403, 'OWN_FACTOR_RESET'])
    expect((await (await signedIn(service, { role: 'MEMBER' })).delete(path)).status).toBe(403)
    expect(answered(await foreign.delete(path))).toEqual([404, 'PERSON_NOT_FOUND'])
    await wait(15 * 60)
    expect(answered(await colleague.delete(path))).toEqual([403, 'STEP_UP_REQUIRED'])
    expect((await lost.get('/factor')).body.set).toBe(true)
  })
})

test('every change is in the activity and mailed to its person, without a link or a code', async () => {
  const admin = await signedIn(service)
  const one = await withFactor()
  await one.post('/factor/recovery-codes')
  await one.delete('/factor', { code: appCode(one.secret, ahead) })
  const again = await setUp(one)
  await admin.delete(`/people/${again.person.personId}/factor`)
  const expected = ['factor.reset', 'factor.set-up', 'factor.removed', 'factor.recovery-codes-renewed', 'factor.set-up']
  expect((await activityOf(admin)).filter((action) => action.startsWith('factor.')).slice(0, 5)).toEqual(expected)
  const mails = (await mailsTo(again.person.email)).filter(({ subject }) => !subject.startsWith('Your access'))
  expect(mails.map(({ subject }) => subject.replace(/:.*/, '')).toSorted()).toEqual([
    'New recovery codes',
    'Second factor removed',
    'Second factor reset',
    'Second factor set up',
    'Second factor set up',
  ])
  for (const { text } of mails) expect(text).not.toMatch(/https?:|[0-9A-Z]{4}-[0-9A-Z]{4}/)
})

test('rows are visible to their organisation only', async () => {
  const { organisation } = await service.anotherOrganisation()
  await withFactor()
  const rows = await inOrganisation(service.api.database, organisation.orgId, (sql) =>
    Promise.all([sql`select 1 from second_factors`, sql`select 1 from recovery_codes`]),
  )
  expect(rows.map(({ length }) => length)).toEqual([0, 0])
})
