// What the tests of the panel share: a running service with people who can sign in, a browser, and the steps that every visit begins with.
import type { Browser, Page } from 'playwright-core'
import { sharedBrowser } from '../support/clients/browser.ts'
import { aPerson, PASSWORD, type TestPerson } from '../support/clients/panel-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

export interface SettingsPages extends AsyncDisposable {
  service: TestService
  browser: Browser
  admin: TestPerson
  member: TestPerson
  /** The newest mail's one-time link to choose a password, after everything due was sent. */
  mailedSetupLink(): Promise<string>
}

export async function settingsPages(): Promise<SettingsPages> {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await testService())
  const browser = await sharedBrowser()
  const { orgId } = service.organisation
  const admin = await aPerson(service.system.database, orgId, { email: 'alex.admin@example.test' })
  const member = await aPerson(service.system.database, orgId, { email: 'mona.member@example.test', role: 'MEMBER' })
  const running = stack.move()
  return {
    service,
    browser,
    admin,
    member,
    mailedSetupLink: async () => {
      await service.sendMails()
      const [mail] = await service.mails.list()
      const link = /\S+\/settings\/setup#\S+/.exec(mail?.text ?? '')?.[0]
      if (!link) throw new Error('the newest mail holds no setup link')
      return link
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Fills in the form that is on screen, page or dialog. */
export async function signIn(page: Page, email: string, password: string = PASSWORD): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens an address of the panel without a session, and waits for its heading. */
export async function visitAs(page: Page, person: TestPerson, address: string, heading: string): Promise<void> {
  await page.goto(address)
  await signIn(page, person.email)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}
