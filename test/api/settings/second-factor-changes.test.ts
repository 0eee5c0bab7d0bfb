import { inOrganisation } from '#core/platform/postgres/client.ts'
import { describe, expect, test } from 'vitest'
import { PANEL_ROUTES } from '../../../api/routes/index.ts'
import { appCode, wrongCode } from '../../support/clients/authenticator.ts'
import type { Answer } from '../../support/clients/api-client.ts'
import { PASSWORD, signedIn } from '../../support/clients/panel-client.ts'
import { activityOf, answered, factorService } from '../../support/servers/factor-service.ts'

const rig = factorService()
const { stranger, mailsTo } = rig

describe('an old proof', () => {
  const STALE = 15 * 60 + 1
  const changes: readonly [string, (browser: Awaited<ReturnType<typeof signedIn>>) => Promise<Answer>][] = [
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
    const browser = await rig.clock.withFactor()
    await rig.clock.wait(STALE)
    for (const [what, change] of changes)
      expect([what, ...answered(await change(browser))]).toEqual([what, 403, 'STEP_UP_REQUIRED'])
    expect((await browser.get('/people')).status).toBe(200)
    expect((await browser.post('/session/step-up', { code: appCode(browser.secret, rig.clock.ahead) })).status).toBe(204)
    await rig.clock.wait(STALE - 60)
    for (const [what, change] of changes) expect([what, (await change(browser)).status < 300]).toEqual([what, true])
  })

  test('is what remains after a change of the password', async () => {
    const browser = await rig.clock.withFactor()
    const [, change] = changes.at(-1)!
    expect((await change(browser)).status).toBeLessThan(300)
    browser.csrfToken = (await browser.get('/session')).body.csrfToken
    expect(answered(await change(browser))).toEqual([403, 'STEP_UP_REQUIRED'])
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
    const browser = await rig.clock.withFactor()
    await rig.clock.wait(STALE)
    const code = appCode(browser.secret, rig.clock.ahead)
    expect((await browser.post('/session/step-up', { code })).status).toBe(204)
    expect(answered(await browser.post('/session/step-up', { code }))).toEqual([422, 'FACTOR_CODE_WRONG'])
    for (let time = 0; time < 4; time++)
      expect((await browser.post('/session/step-up', { code: wrongCode(browser.secret, rig.clock.ahead) })).status).toBe(422)
    expect((await browser.post('/session/step-up', { code: wrongCode(browser.secret, rig.clock.ahead) })).status).toBe(429)
    expect(await rig.service.readLog()).toContain('factor.refused')
  })

  test('is not asked of people without a factor, and proves nothing for them', async () => {
    const browser = await signedIn(rig.service)
    expect(answered(await browser.post('/session/step-up', { code: '123456' }))).toEqual([422, 'FACTOR_CODE_WRONG'])
    expect((await browser.post('/credentials', { name: 'CRM', workspaces: [] })).status).toBe(201)
  })
})

describe('a required factor', () => {
  async function strictOrganisation() {
    const { organisation } = await rig.service.anotherOrganisation()
    const admin = await rig.clock.withFactor({ orgId: organisation.orgId })
    const member = await signedIn(rig.service, { orgId: organisation.orgId, role: 'MEMBER' })
    const { status, body } = await admin.patch('/organisation', { requireSecondFactor: true })
    expect([status, body.requireSecondFactor]).toEqual([200, true])
    return { admin, member, organisation }
  }

  // requirements: running/panel/second factor
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
    await rig.clock.setUp(again)
    expect((await again.get('/session')).body.mustSetUpFactor).toBeUndefined()
    expect((await again.get('/organisation')).status).toBe(200)
  })

  test('that is removed has to be set up again', async () => {
    const { admin } = await strictOrganisation()
    expect((await admin.delete('/factor', { code: admin.recoveryCodes[0] })).status).toBe(204)
    expect(answered(await admin.get('/people'))).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
    await rig.clock.setUp(admin)
    expect((await admin.get('/people')).status).toBe(200)
  })
})

describe('removing', () => {
  // requirements: running/panel/second factor
  test('takes a code, ends the other sessions and keeps this one', async () => {
    const here = await rig.clock.withFactor()
    const elsewhere = stranger()
    await elsewhere.signIn(here.person.email, PASSWORD, appCode(here.secret, rig.clock.ahead))
    await rig.clock.wait(30)
    expect(answered(await here.delete('/factor', { code: wrongCode(here.secret, rig.clock.ahead) }))).toEqual([
      422,
      'FACTOR_CODE_WRONG',
    ])
    expect((await here.delete('/factor', { code: appCode(here.secret, rig.clock.ahead) })).status).toBe(204)
    expect((await here.get('/factor')).body).toEqual({ set: false, required: false, recoveryCodesLeft: 0 })
    expect((await elsewhere.get('/session')).status).toBe(401)
    expect((await stranger().signIn(here.person.email, PASSWORD)).body.admin.email).toBe(here.person.email)
    expect(answered(await here.delete('/factor', { code: '123456' }))).toEqual([404, 'FACTOR_NOT_SET'])
  })
})

describe('new recovery codes', () => {
  test('replace the earlier ones', async () => {
    const one = await rig.clock.withFactor()
    const { status, body } = await one.post('/factor/recovery-codes')
    expect([status, body.recoveryCodes.length]).toEqual([200, 10])
    expect((await stranger().signIn(one.person.email, PASSWORD, one.recoveryCodes[0])).status).toBe(401)
    expect((await stranger().signIn(one.person.email, PASSWORD, body.recoveryCodes[0])).status).toBe(200)
  })

  test('are for people with a factor', async () => {
    expect(answered(await (await signedIn(rig.service)).post('/factor/recovery-codes'))).toEqual([404, 'FACTOR_NOT_SET'])
  })
})

describe('resetting', () => {
  // requirements: running/panel/second factor
  test("by another admin ends the person's sessions, and the list shows it", async () => {
    const admin = await signedIn(rig.service)
    const lost = await rig.clock.withFactor({ role: 'MEMBER' })
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
    const lost = await rig.clock.withFactor()
    const path = `/people/${lost.person.personId}/factor`
    const { organisation } = await rig.service.anotherOrganisation()
    const foreign = await signedIn(rig.service, { orgId: organisation.orgId })
    const colleague = await rig.clock.withFactor()
    expect(answered(await lost.delete(path))).toEqual([403, 'OWN_FACTOR_RESET'])
    expect((await (await signedIn(rig.service, { role: 'MEMBER' })).delete(path)).status).toBe(403)
    expect(answered(await foreign.delete(path))).toEqual([404, 'PERSON_NOT_FOUND'])
    await rig.clock.wait(15 * 60)
    expect(answered(await colleague.delete(path))).toEqual([403, 'STEP_UP_REQUIRED'])
    expect((await lost.get('/factor')).body.set).toBe(true)
  })
})

test('every change is in the activity and mailed to its person, without a link or a code', async () => {
  const admin = await signedIn(rig.service)
  const one = await rig.clock.withFactor()
  await one.post('/factor/recovery-codes')
  await one.delete('/factor', { code: appCode(one.secret, rig.clock.ahead) })
  const again = await rig.clock.setUp(one)
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
  const { organisation } = await rig.service.anotherOrganisation()
  await rig.clock.withFactor()
  const rows = await inOrganisation(rig.service.api.database, organisation.orgId, (sql) =>
    Promise.all([sql`select 1 from second_factors`, sql`select 1 from recovery_codes`]),
  )
  expect(rows.map(({ length }) => length)).toEqual([0, 0])
})
