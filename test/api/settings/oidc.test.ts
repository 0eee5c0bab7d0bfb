import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../../api/http/app.ts'
import { serve } from '../../../api/serve.ts'
import { freePort } from '../../../hack/servers/free-port.ts'
import { type IdentityProvider, identityProvider, walkThrough } from '../../support/servers/oidc-provider.ts'
import { aPerson, type PanelClient, panelClient, PASSWORD } from '../../support/clients/panel-client.ts'
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
beforeEach(() => {
  provider.denies = false
  provider.person = { email: 'nobody@example.test', email_verified: true }
})
afterEach(() => service.database.moveClock(0))

async function newPerson() {
  const person = await aPerson(service.system.database, service.organisation.orgId)
  provider.person = { email: person.email, email_verified: true }
  return person
}

/** The address that the service redirects the browser to. */
async function leave(browser: PanelClient, query = ''): Promise<URL> {
  const { status, headers } = await browser.send('GET', `/settings/oidc${query}`)
  expect(status).toBe(302)
  return new URL(headers.get('location')!)
}

/** Opens `url` at the service and returns the path that it redirects to. */
async function arrive(browser: PanelClient, url: string): Promise<string> {
  const { status, headers } = await browser.send('GET', url.slice(service.url.length))
  expect([status, headers.get('cache-control')]).toEqual([302, 'no-store'])
  return headers.get('location')!.slice(service.url.length)
}

/** A complete sign-in; `change` modifies the request to the provider. */
async function signIn(browser: PanelClient, change: (url: URL) => void = () => {}): Promise<string> {
  const url = await leave(browser)
  change(url)
  return arrive(browser, await walkThrough(provider, url.href))
}

describe('signing in with an identity provider', () => {
  test('requests a code with PKCE, state and nonce, which the browser stores out of reach of scripts', async () => {
    const browser = panelClient(service.url)
    const { headers } = await browser.send('GET', '/settings/oidc')
    const url = new URL(headers.get('location')!)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: provider.clientId,
      redirect_uri: `${service.url}/settings/oidc/callback`,
      response_type: 'code',
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sealwright-oidc=.*; Max-Age=900; Path=\/;.*; HttpOnly; SameSite=Lax$/),
    ])
    expect(browser.cookies.get('sealwright-oidc')).not.toContain(url.searchParams.get('state'))
  })

  // requirements: running/settings/sign-in and issuers
  test('signs in the named person, with the address in any case', async () => {
    const { personId, email } = await newPerson()
    provider.person.email = email.toUpperCase()
    const browser = panelClient(service.url)
    expect(await signIn(browser)).toBe('/settings')
    const { status, body } = await browser.get('/session')
    expect(status).toBe(200)
    expect(body.admin).toMatchObject({ id: personId, email })
    expect(browser.cookies.has('sealwright-oidc')).toBe(false)
  })

  // requirements: decisions/doors/OIDC sign-in
  test('folds the address by ASCII only: a dotted capital I is another mailbox', async () => {
    const person = await aPerson(service.system.database, service.organisation.orgId, { email: 'ida@example.test' })
    provider.person = { email: '\u0130da@example.test', email_verified: true, sub: 'a stranger' }
    expect(await signIn(panelClient(service.url))).toBe('/settings#error=PERSON_UNKNOWN')
    provider.person = { email: 'IDA@EXAMPLE.TEST', email_verified: true, sub: 'ida' }
    const browser = panelClient(service.url)
    expect(await signIn(browser)).toBe('/settings')
    expect((await browser.get('/session')).body.admin.id).toBe(person.personId)
  })

  // requirements: decisions/doors/OIDC sign-in
  test('binds the account at the first sign-in; then the address decides no longer', async () => {
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

  test('binds another account after a new invitation, and after the installation changed its provider', async () => {
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

  test('ends the session that the new one replaces', async () => {
    await newPerson()
    const browser = panelClient(service.url)
    await signIn(browser)
    const before = panelClient(service.url)
    before.cookies.set('sealwright-session', browser.cookies.get('sealwright-session')!)
    expect((await before.get('/session')).status).toBe(200)
    expect(await signIn(browser)).toBe('/settings')
    expect([(await before.get('/session')).status, (await browser.get('/session')).status]).toEqual([401, 200])
  })

  test('returns to the page where the person was', async () => {
    await newPerson()
    const browser = panelClient(service.url)
    const url = await leave(browser, `?returnTo=${encodeURIComponent('/settings/webhooks?page=2')}`)
    expect(await arrive(browser, await walkThrough(provider, url.href))).toBe('/settings/webhooks?page=2')
  })

  test.each(['//evil.example', 'https://evil.example/settings', '/settings\\@evil.example', '/settings.evil.example', '/verify'])(
    'never returns to %s',
    async (elsewhere) => {
      await newPerson()
      const browser = panelClient(service.url)
      const url = await leave(browser, `?returnTo=${encodeURIComponent(elsewhere)}`)
      expect(await arrive(browser, await walkThrough(provider, url.href))).toBe('/settings')
    },
  )

  test('registers no new people', async () => {
    expect(await signIn(panelClient(service.url))).toBe('/settings#error=PERSON_UNKNOWN')
  })

  test('ignores addresses that the provider has not verified', async () => {
    await newPerson()
    provider.person.email_verified = false
    expect(await signIn(panelClient(service.url))).toBe('/settings#error=EMAIL_NOT_VERIFIED')
  })

  test('handles a denial by the provider', async () => {
    await newPerson()
    provider.denies = true
    expect(await signIn(panelClient(service.url))).toBe('/settings#error=SIGN_IN_FAILED')
  })

  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['another nonce', (url: URL) => url.searchParams.set('nonce', 'x'.repeat(43))],
    ['a code for another verifier', (url: URL) => url.searchParams.set('code_challenge', 'x'.repeat(43))],
  ])('refuses %s', async (_name, change) => {
    await newPerson()
    const browser = panelClient(service.url)
    expect(await signIn(browser, change)).toBe('/settings#error=SIGN_IN_FAILED')
    expect((await browser.get('/session')).status).toBe(401)
  })

  test('rejects a response from another issuer', async () => {
    await newPerson()
    const browser = panelClient(service.url)
    const back = new URL(await walkThrough(provider, (await leave(browser)).href))
    back.searchParams.set('iss', 'https://evil.example')
    expect(await arrive(browser, back.href)).toBe('/settings#error=SIGN_IN_FAILED')
  })

  test('accepts a code once', async () => {
    await newPerson()
    const browser = panelClient(service.url)
    const back = await walkThrough(provider, (await leave(browser)).href)
    const flow = browser.cookies.get('sealwright-oidc')!
    expect(await arrive(browser, back)).toBe('/settings')
    const thief = panelClient(service.url)
    thief.cookies.set('sealwright-oidc', flow)
    expect(await arrive(thief, back)).toBe('/settings#error=SIGN_IN_FAILED')
    expect((await thief.get('/session')).status).toBe(401)
  })

  test.each([
    ['none', undefined],
    ['one that was made up', 'AAAA'],
  ])('ends without signing in for a browser with %s of its own flow', async (_name, flow) => {
    await newPerson()
    const back = await walkThrough(provider, (await leave(panelClient(service.url))).href)
    const other = panelClient(service.url)
    if (flow) other.cookies.set('sealwright-oidc', flow)
    expect(await arrive(other, back)).toBe('/settings#error=SIGN_IN_EXPIRED')
  })

  test('must finish within 15 minutes', async () => {
    await newPerson()
    const browser = panelClient(service.url)
    const back = await walkThrough(provider, (await leave(browser)).href)
    await service.database.moveClock(15 * 60 + 1)
    expect(await arrive(browser, back)).toBe('/settings#error=SIGN_IN_EXPIRED')
  })

  test('logs successful and rejected sign-ins, and no secret', async () => {
    const { personId } = await newPerson()
    const browser = panelClient(service.url)
    const back = await walkThrough(provider, (await leave(browser)).href)
    await arrive(browser, back)
    const lines = (await service.readLog()).split('\n')
    expect(lines.some((line) => line.includes('session.started') && line.includes(personId) && line.includes('oidc'))).toBe(true)
    expect(lines.some((line) => line.includes('session.refused') && line.includes('unknown address'))).toBe(true)
    for (const secret of [
      new URL(back).searchParams.get('code')!,
      provider.clientSecret,
      browser.cookies.get('sealwright-session')!,
    ]) {
      expect(lines.join('\n')).not.toContain(secret)
    }
  })
})

describe('with an identity provider', () => {
  test('the page learns that there are no passwords', async () => {
    const { status, body } = await panelClient(service.url).get('/sign-in')
    expect([status, body]).toEqual([200, { methods: ['oidc'] }])
  })

  test('no password can be used or set', async () => {
    const { email } = await newPerson()
    const browser = panelClient(service.url)
    for (const answer of [
      await browser.signIn(email, PASSWORD),
      await browser.post('/password', { setupToken: 'A'.repeat(43), password: PASSWORD }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'PASSWORD_SIGN_IN_OFF'])
    }
  })

  test('an invitation leads to the sign-in and sets no password', async () => {
    await newPerson()
    const browser = panelClient(service.url)
    await signIn(browser)
    browser.csrfToken = (await browser.get('/session')).body.csrfToken
    const { status, body } = await browser.post('/people', { email: 'kim@example.test', name: 'Kim', role: 'MEMBER' })
    expect([status, body.setupLinkExpiresAt]).toEqual([201, null])
    await service.sendMails()
    const [mail] = await service.mails.list()
    expect(mail!.to).toBe('kim@example.test')
    expect(mail!.text).toContain(`Sign in:\n${service.url}/settings\n`)
    provider.person = { email: 'kim@example.test', email_verified: true }
    expect(await signIn(panelClient(service.url))).toBe('/settings')
  })

  test('its addresses reject other methods than GET', async () => {
    const { status, headers, body } = await panelClient(service.url).send('POST', '/settings/oidc/callback')
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'GET, HEAD', 'METHOD_NOT_ALLOWED'])
  })
})

/** The same service with another provider, as another replica would have it. */
async function replica(another: Pick<IdentityProvider, 'issuer'>, port: number) {
  const url = `http://127.0.0.1:${port}`
  const core = { ...service.api, settings: { ...service.api.settings, oidcIssuer: another.issuer, publicUrl: url } }
  const server = await serve(
    createApp(core, { reports: service.reports, spoolDir: tmpdir(), pagesDir: tmpdir() }),
    '127.0.0.1',
    port,
  )
  return { url, [Symbol.asyncDispose]: () => server.close(1_000) }
}

test('a provider that accepts the client secret only in the body gets it there', async () => {
  const port = await freePort()
  await using another = await identityProvider(`http://127.0.0.1:${port}`, { clientAuthentication: 'client_secret_post' })
  await using running = await replica(another, port)
  const { email } = await newPerson()
  another.person = { email, email_verified: true }
  const browser = panelClient(running.url)
  const { headers } = await browser.send('GET', '/settings/oidc')
  const back = await walkThrough(another, headers.get('location')!)
  const returned = await browser.send('GET', back.slice(running.url.length))
  expect(returned.headers.get('location')).toBe(`${running.url}/settings`)
})

describe('while the identity provider is down', () => {
  test('a sign-in answers 503 until it is up', async () => {
    const [port, providerPort] = [await freePort(), await freePort()]
    await using running = await replica({ issuer: `http://127.0.0.1:${providerPort}` }, port)
    const leaving = Array.from({ length: 3 }, () => panelClient(running.url).send('GET', '/settings/oidc'))
    for (const { status, headers, body } of await Promise.all(leaving)) {
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '5', 'SERVICE_UNAVAILABLE'])
    }
    await using late = await identityProvider(running.url, { atPort: providerPort })
    const again = await panelClient(running.url).send('GET', '/settings/oidc')
    expect([again.status, new URL(again.headers.get('location')!).origin]).toEqual([302, late.issuer])
  })

  test('the callback leads to the page with an error', async () => {
    const port = await freePort()
    await using another = await identityProvider(`http://127.0.0.1:${port}`)
    await using running = await replica(another, port)
    const browser = panelClient(running.url)
    const { headers } = await browser.send('GET', '/settings/oidc')
    const back = await walkThrough(another, headers.get('location')!)
    await another.stop()
    const returned = await browser.send('GET', back.slice(running.url.length))
    expect([returned.status, returned.headers.get('location')]).toEqual([
      302,
      `${running.url}/settings#error=PROVIDER_UNAVAILABLE`,
    ])
  })
})
