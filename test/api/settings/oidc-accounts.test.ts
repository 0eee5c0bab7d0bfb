// Which person an account at the identity provider signs in.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../hack/servers/free-port.ts'
import { type IdentityProvider, identityProvider, walkThrough } from '../../support/servers/oidc-provider.ts'
import { aPerson, type PanelClient, panelClient } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let provider: IdentityProvider

beforeAll(async () => {
  const port = await freePort()
  provider = await identityProvider(`http://127.0.0.1:${port}`)
  service = await testService({
    SEALWRIGHT_PORT: String(port),
    SEALWRIGHT_OIDC_ISSUER: provider.issuer,
    SEALWRIGHT_OIDC_CLIENT_ID: provider.clientId,
    SEALWRIGHT_OIDC_CLIENT_SECRET: provider.clientSecret,
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

async function newPerson() {
  const person = await aPerson(service.system.database, service.organisation.orgId)
  provider.person = { email: person.email, email_verified: true }
  return person
}

/** The path to which a complete sign-in leads. */
async function signIn(browser: PanelClient): Promise<string> {
  const { headers } = await browser.send('GET', '/settings/oidc')
  const back = await walkThrough(provider, headers.get('location')!)
  const arrived = await browser.send('GET', back.slice(service.url.length))
  return arrived.headers.get('location')!.slice(service.url.length)
}

describe('an account', () => {
  // requirements: decisions/doors/OIDC sign-in
  test('is found by its address, folded by ASCII only: a dotted capital I is another mailbox', async () => {
    const person = await aPerson(service.system.database, service.organisation.orgId, { email: 'ida@example.test' })
    provider.person = { email: '\u0130da@example.test', email_verified: true, sub: 'a stranger' }
    expect(await signIn(panelClient(service.url))).toBe('/settings#error=PERSON_UNKNOWN')
    provider.person = { email: 'IDA@EXAMPLE.TEST', email_verified: true, sub: 'ida' }
    const browser = panelClient(service.url)
    expect(await signIn(browser)).toBe('/settings')
    expect((await browser.get('/session')).body.admin.id).toBe(person.personId)
  })

  // requirements: decisions/doors/OIDC sign-in
  test('is bound at the first sign-in; then the address decides no longer', async () => {
    const { email, personId } = await newPerson()
    provider.person.sub = `sub of ${personId}`
    expect(await signIn(panelClient(service.url))).toBe('/settings')
    provider.person = { email, email_verified: true, sub: 'someone who got the address later' }
    expect(await signIn(panelClient(service.url))).toBe('/settings#error=PERSON_UNKNOWN')
    provider.person = { email: 'renamed@example.test', email_verified: false, sub: `sub of ${personId}` }
    const browser = panelClient(service.url)
    expect(await signIn(browser)).toBe('/settings')
    expect((await browser.get('/session')).body.admin.id).toBe(personId)
  })

  test('is replaced after a new invitation, and after the installation changed its provider', async () => {
    const { email, personId } = await newPerson()
    const { orgId } = service.organisation
    provider.person.sub = `first of ${personId}`
    const browser = panelClient(service.url)
    expect(await signIn(browser)).toBe('/settings')
    browser.csrfToken = (await browser.get('/session')).body.csrfToken
    expect((await browser.post(`/people/${personId}/setup-link`)).status).toBe(204)
    provider.person = { email, email_verified: true, sub: `second of ${personId}` }
    expect(await signIn(panelClient(service.url))).toBe('/settings')
    await service.database.owner`
      update people set oidc_issuer = 'https://former.example.test' where org_id = ${orgId} and id = ${personId}`
    provider.person = { email, email_verified: true, sub: `third of ${personId}` }
    expect(await signIn(panelClient(service.url))).toBe('/settings')
  })
})

test("asks for no second factor of this service, whatever was set up or required for passwords: it is the provider's", async () => {
  const { personId } = await newPerson()
  const { orgId } = service.organisation
  await service.database.owner`
    insert into second_factors (org_id, person_id, secret_box, confirmed_at) values (${orgId}, ${personId}, 'box', now())`
  await service.database.owner`update organisations set require_second_factor = true where id = ${orgId}`
  const browser = panelClient(service.url)
  expect(await signIn(browser)).toBe('/settings')
  browser.csrfToken = (await browser.get('/session')).body.csrfToken
  expect((await browser.get('/factor')).body).toEqual({ set: false, required: false, recoveryCodesLeft: 0 })
  expect((await browser.post('/credentials', { name: 'CRM', workspaces: [] })).status).toBe(201)
  for (const answer of [
    await browser.post('/factor', { currentPassword: 'any' }),
    await browser.post('/factor/confirm', { code: '123456' }),
    await browser.post('/session/step-up', { code: '123456' }),
  ])
    expect([answer.status, answer.body.code]).toEqual([403, 'PASSWORD_SIGN_IN_OFF'])
})
