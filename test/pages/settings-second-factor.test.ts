import type { Page } from 'playwright-core'
import { create } from 'qrcode'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { appCode, setUpFactor, wrongCode } from '../support/clients/authenticator.ts'
import { aVisitor } from '../support/clients/browser.ts'
import { PASSWORD, signedIn } from '../support/clients/panel-client.ts'
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

/** The dark modules of the QR code on screen, as `create` gives them. */
async function darkModules(page: Page): Promise<string[]> {
  const path = await page.getByRole('img', { name: 'QR code for the authenticator app' }).locator('path').getAttribute('d')
  return [...path!.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${Number(x) - 4} ${Number(y) - 4}`)
}

function modulesOf(text: string): string[] {
  const { size, data } = create(text, { errorCorrectionLevel: 'L' }).modules
  return Array.from(data).flatMap((isDark, index) => (isDark ? [`${index % size} ${Math.floor(index / size)}`] : []))
}

describe('a second factor', () => {
  test('is set up by scanning or typing, asked for at the next sign-in and before a change, and removed', async () => {
    const { person } = await signedIn(pages.service)
    await using visitor = await aVisitor(pages.browser)
    const { page, complaints } = visitor
    await visitAs(page, person, `${url}/account`, 'Your account')
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set up' }).click()
    const setUp = page.getByRole('dialog', { name: 'Set up a second factor' })
    const secret = await setUp.getByText(/^[A-Z2-7]{32}$/).innerText()
    const uri = `otpauth://totp/Sealwright:${encodeURIComponent(person.email)}?issuer=Sealwright&secret=${secret}&algorithm=SHA1&digits=6&period=30`
    expect(await darkModules(page)).toEqual(modulesOf(uri))
    expect(await seriousFaults(page)).toEqual([])
    await setUp.getByLabel('Code that the app shows').fill(wrongCode(secret))
    await page.keyboard.press('Enter')
    await setUp.getByText('This code is wrong').waitFor()
    await setUp.getByLabel('Code that the app shows').fill(appCode(secret))
    await page.keyboard.press('Enter')
    const saving = page.getByRole('dialog', { name: 'Save your recovery codes' })
    await saving.waitFor()
    const codes = await saving.getByRole('listitem').allInnerTexts()
    expect(codes).toHaveLength(10)
    expect(await seriousFaults(page)).toEqual([])
    // Nothing but the button closes it.
    await page.keyboard.press('Escape')
    const download = page.waitForEvent('download')
    await saving.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('sealwright-recovery-codes.txt')
    await saving.getByRole('button', { name: 'I have saved the codes' }).click()
    await page.getByText('10 recovery codes left').waitFor()

    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await signIn(page, person.email)
    await page.getByLabel('Code of your authenticator app').fill(wrongCode(secret))
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong').waitFor()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0]!.toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByText('9 recovery codes left').waitFor()

    await pages.service.database.moveClock(15 * 60 + 30)
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'New recovery codes' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
    expect(await seriousFaults(page)).toEqual([])
    await stepUp.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('This change needs a code').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'New recovery codes' }).click()
    await stepUp.getByLabel('Code of your authenticator app').fill(appCode(secret, 15 * 60 + 30))
    await page.keyboard.press('Enter')
    await saving.waitFor()
    await saving.getByRole('button', { name: 'I have saved the codes' }).click()

    await pages.service.database.moveClock(15 * 60 + 60)
    await page.getByRole('button', { name: 'Remove' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove the second factor?' })
    await removal.getByLabel('Code of your authenticator app').fill(appCode(secret, 15 * 60 + 60))
    await page.keyboard.press('Enter')
    await page.getByText('Second factor removed').waitFor()
    await page.getByRole('button', { name: 'Set up' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('that the organisation requires is all that a person without one can set up', async () => {
    const { organisation } = await pages.service.anotherOrganisation()
    const admin = await signedIn(pages.service, { orgId: organisation.orgId })
    const { person } = await signedIn(pages.service, { orgId: organisation.orgId })
    await using visitor = await aVisitor(pages.browser, { viewport: { width: 360, height: 740 } })
    const { page, complaints } = visitor
    await visitAs(page, admin.person, `${url}/organisation`, 'Organisation')
    await page.getByLabel('Required').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Organisation saved').waitFor()

    await using another = await aVisitor(pages.browser, { viewport: { width: 360, height: 740 } })
    await visitAs(another.page, person, `${url}/people`, 'Your organisation requires a second factor')
    expect(await seriousFaults(another.page)).toEqual([])
    await another.page.getByLabel('Your password').fill(PASSWORD)
    await another.page.getByRole('button', { name: 'Set up' }).click()
    const secret = await another.page.getByText(/^[A-Z2-7]{32}$/).innerText()
    await another.page.getByLabel('Code that the app shows').fill(appCode(secret))
    await another.page.keyboard.press('Enter')
    await another.page.getByRole('button', { name: 'I have saved the codes' }).click()
    await another.page.getByRole('heading', { name: 'People' }).waitFor()
    // The admin who requires it has none either: the next step in the panel says so.
    await page.reload()
    await page.getByRole('heading', { name: 'Your organisation requires a second factor' }).waitFor()
    expect([...complaints, ...another.complaints]).toEqual([])
  })

  test('that is lost is reset by another admin, who sees who has one', async () => {
    const lost = await signedIn(pages.service)
    await setUpFactor(lost)
    await pages.service.database.owner`update people set name = 'Lou Lost' where id = ${lost.person.personId}`
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await visitAs(page, pages.admin, `${url}/people`, 'People')
    await page.getByRole('button', { name: 'Reset the second factor of Lou Lost' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset second factor' }).click()
    await page.getByText('Second factor of Lou Lost reset').waitFor()
    expect((await lost.get('/session')).status).toBe(401)
  })

  test('is asked for by the identity provider where there is one', async () => {
    await using visitor = await aVisitor(pages.browser)
    const { page } = visitor
    await visitAs(page, pages.admin, `${url}/people`, 'People')
    await page.route(/api\/sign-in$/, (route) => route.fulfill({ json: { methods: ['oidc'] } }))
    await page.goto(`${url}/account`)
    await page.getByText('which also asks for a second factor').waitFor()
    expect(await page.getByRole('button', { name: 'Set up' }).count()).toBe(0)
  })
})
