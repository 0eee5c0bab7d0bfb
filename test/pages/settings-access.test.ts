import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aVisitor } from '../support/clients/browser.ts'
import { PASSWORD, panelClient, signedIn } from '../support/clients/panel-client.ts'
import { seriousFaults } from './accessibility.ts'
import { settingsPages, type SettingsPages, signIn, visitAs } from './settings-pages.ts'

let pages: SettingsPages
let url: string

beforeAll(async () => {
  pages = await settingsPages()
  url = `${pages.service.url}/settings`
})
afterEach(() => pages.service.database.moveClock(0))
afterAll(() => pages[Symbol.asyncDispose]())

describe('the first password', () => {
  test('is chosen by the mailed link, whose token leaves the address bar at once and goes nowhere but into the one call', async () => {
    const admin = await signedIn(pages.service)
    await admin.post('/people', { email: 'nina@example.test', name: 'Nina', role: 'MEMBER' })
    const link = await pages.mailedSetupLink()
    const token = link.split('#')[1]!
    await using visitor = await aVisitor(pages.browser)
    const { page, requests, complaints } = visitor

    await page.goto(link)
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor()
    expect(page.url()).toBe(`${url}/setup`)
    expect(await seriousFaults(page)).toEqual([])
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('Use at least 12 characters.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('passwordpassword')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('too easy to guess').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByRole('heading', { name: 'Password saved' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, 'nina@example.test')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    const leaks = requests.filter((request) => request.url().includes(token) || request.headers()['referer'])
    expect(leaks).toEqual([])
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).toBe('[{},{}]')
    expect(complaints).toEqual([])
  })

  test('can be chosen once by a link; afterwards the page says where to get a new one', async () => {
    const admin = await signedIn(pages.service)
    await admin.post('/people', { email: 'otto@example.test', name: 'Otto', role: 'MEMBER' })
    const link = await pages.mailedSetupLink()
    await panelClient(pages.service.url).post('/password', { setupToken: link.split('#')[1], password: PASSWORD })
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(link)
    await page.getByLabel('Password', { exact: true }).fill('another good long password')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Please open the link in your email' }).waitFor()
  })
})

describe('signing in', () => {
  test('leads to the address that was asked for, and signing out ends the session on the server too', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page, complaints } = visitor
    await visitAs(page, pages.admin, `${url}/people`, 'People')
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    const kept = await fetch(`${url}/api/session`, { headers: { cookie: `${cookie!.name}=${cookie!.value}` } })
    expect(kept.status).toBe(401)
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('with a wrong pair says so, and after too many tries counts the time down', async () => {
    const victim = await signedIn(pages.service)
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.goto(url)
    for (let tries = 1; tries <= 5; tries++) {
      const answered = page.waitForResponse(/api\/session$/)
      await signIn(page, victim.person.email, 'not the password')
      expect((await answered).status()).toBe(401)
    }
    await page.getByText('Wrong email or password.').waitFor()
    await page.getByLabel('Password').fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('Too many failed attempts.').waitFor()
    const button = page.getByRole('button', { name: /^Sign in in 0:\d\d$/ })
    await button.waitFor()
    expect(await button.isDisabled()).toBe(true)
  })
})

describe('the panel', () => {
  test("leads to the organisation's own sign-in where there is one, and back to where the person wanted to be", async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.route(/api\/sign-in$/, (route) => route.fulfill({ json: { methods: ['oidc'] } }))
    await page.goto(`${url}/people#error=PERSON_UNKNOWN`)
    await page.getByText('This account has no access here.').waitFor()
    expect(page.url()).toBe(`${url}/people`)
    const link = page.getByRole('link', { name: 'Continue to sign-in' })
    expect(await link.getAttribute('href')).toBe('/settings/oidc?returnTo=%2Fsettings%2Fpeople')
    expect(await page.getByLabel('Password').count()).toBe(0)
  })

  test('says when the service does not answer, and goes on when it does', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await page.route(/settings\/api/, (route) => route.abort())
    await page.goto(url)
    await page.getByText('The service did not respond.').waitFor()
    await page.unroute(/settings\/api/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await signIn(page, pages.admin.email)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  test('speaks German', async () => {
    await using visitor = await aVisitor(pages.browser, { locale: 'de-AT' })
    const { page } = visitor
    await page.goto(url)
    await page.getByLabel('E-Mail-Adresse').fill(pages.admin.email)
    await page.getByLabel('Passwort').fill(PASSWORD)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
  })
})

describe('an account', () => {
  test('takes another password, which ends the sessions elsewhere', async () => {
    const elsewhere = await signedIn(pages.service)
    const { email } = elsewhere.person
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await visitAs(page, elsewhere.person, `${url}/account`, 'Your account')
    expect(await seriousFaults(page)).toEqual([])
    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password').fill('four words without sense')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your current password is incorrect.').waitFor()
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed').waitFor()
    expect((await elsewhere.get('/session')).status).toBe(401)
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('You are signed out.').waitFor()
    await signIn(page, email, 'four words without sense')
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })
})

describe('a session that ends during work', () => {
  test('is signed in again above the work, and what was being saved is saved', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await visitAs(page, pages.admin, `${url}/organisation`, 'Organisation')
    await page.getByLabel('Name').fill('Northwind Traders')
    await pages.service.database.moveClock(2 * 3_600)
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
    await dialog.waitFor()
    expect(await dialog.getByLabel('Email').inputValue()).toBe(pages.admin.email)
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Organisation saved').waitFor()
    expect(page.url()).toBe(`${url}/organisation`)
    const [row] = await pages.service.database.owner`
      select name from organisations where id = ${pages.service.organisation.orgId}`
    expect(row?.['name']).toBe('Northwind Traders')
  })

  test('and is taken over by another person shows nothing of the work before', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await visitAs(page, pages.admin, `${url}/people`, 'People')
    await page.getByRole('button', { name: 'Invite person' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Half a name')
    await pages.service.database.moveClock(2 * 3_600)
    await page.getByLabel('Email').fill('half@example.test')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
    await dialog.getByLabel('Email').fill(pages.member.email)
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await page.getByText('Half a name').count()).toBe(0)
    const rows = await pages.service.database.owner`select 1 from people where email = 'half@example.test'`
    expect(rows).toEqual([])
  })

  test('and began again in another tab goes on with that one', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await visitAs(page, pages.admin, `${url}/organisation`, 'Organisation')
    await page.getByLabel('Name').fill('Contoso')
    const other = await page.context().newPage()
    await other.goto(url)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await signIn(other, pages.admin.email)
    await other.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Organisation saved').waitFor()
  })
})
