import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import type { AttemptResult, PostClient } from '#core/webhook/request/post-client.ts'
import { startDeliver } from '../../workers/deliver/start-deliver.ts'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { OK, REJECTED } from '../support/builders/webhooks.ts'
import { aVisitor, type Visitor } from '../support/clients/browser.ts'
import { PASSWORD } from '../support/clients/panel-client.ts'
import { seriousFaults } from './accessibility.ts'
import { settingsPages, type SettingsPages, visitAs } from './settings-pages.ts'

const PHONE = { width: 360, height: 740 }
/** Public addresses, so that no name has to be resolved. */
const URL_OF_HOOK = 'https://93.184.215.14/hooks/sealwright'
const HOST = '93.184.215.14'

let pages: SettingsPages
let url: string
let visitor: Visitor
let page: Page
/** What receivers answer. */
let answer: AttemptResult = OK
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  pages = stack.use(await settingsPages())
  url = `${pages.service.url}/settings`
  const client: PostClient = { post: async () => answer, [Symbol.asyncDispose]: async () => {} }
  stack.use(startDeliver(pages.service.system, inProcessNotifier(), client))
  visitor = stack.use(await aVisitor(pages.browser))
  await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  page = visitor.page
  await visitAs(page, pages.admin, url, 'Overview')
})
afterAll(() => stack.disposeAsync())

const owner = () => pages.service.database.owner
const statusOfNewest = (status: string) => page.locator('.rows li').first().getByText(status, { exact: true })

/** Opens the webhook's page from the list. */
async function openWebhook(): Promise<void> {
  await page.goto(`${url}/webhooks`)
  await page.getByRole('link', { name: new RegExp(HOST) }).click()
  await page.getByRole('heading', { name: HOST, level: 1 }).waitFor()
}

/** Presses the button, and the button of the same name in the question that follows. */
async function confirm(name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
}

describe('a new webhook', () => {
  test('is explained where there is none', async () => {
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByText('No webhooks yet').waitFor()
    expect(await page.getByRole('link', { name: 'Read how to receive events' }).getAttribute('href')).toBe('/docs#webhooks')
    expect(await seriousFaults(page)).toEqual([])
  })

  test('says at its field what is wrong with the address', async () => {
    await page.getByRole('link', { name: 'Create webhook' }).click()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('This field is required.').waitFor()
    await page.getByLabel('URL').fill('nowhere')
    await page.keyboard.press('Enter')
    await page.getByText('must be an absolute URL without spaces.').waitFor()
    await page.getByLabel('URL').fill('https://10.0.0.1/hooks')
    await page.keyboard.press('Enter')
    await page.getByText('The address is not allowed: it is not public.').waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true')
    expect(await seriousFaults(page)).toEqual([])
  })

  test('receives the chosen events; its secret is shown once', async () => {
    await page.getByLabel('URL').fill(URL_OF_HOOK)
    await page.getByLabel('Description (optional)').fill('Contract archive')
    const types = page.getByRole('group', { name: 'Event types' })
    expect(await types.getByRole('checkbox', { checked: true }).count()).toBe(6)
    for (const type of await types.getByRole('checkbox').all()) await type.uncheck()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('Select at least one event type.').waitFor()
    await types.getByLabel('envelope.sent').check()
    await types.getByLabel('signer.signed').check()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save the signing secret now' })
    await dialog.waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    const secret = await dialog.locator('code').innerText()
    await dialog.getByRole('button', { name: 'Copy Signing secret' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    expect(secret).toMatch(/^whsec_/)
    await dialog.getByRole('button', { name: 'I have saved the secret' }).click()
    await page.getByRole('heading', { name: HOST, level: 1 }).waitFor()
    await page.getByText(`ends in ${secret.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(secret)
    const rows = await owner()`select event_types from webhooks where url = ${URL_OF_HOOK}`
    expect(rows).toEqual([{ eventTypes: ['envelope.sent', 'signer.signed'] }])
  })
})

describe('a test', () => {
  test('shows what the receiver answered, and stands in the history', async () => {
    await openWebhook()
    await page.getByLabel('Event type of the test').selectOption('signer.signed')
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('Delivered: HTTP 204 in 5 ms').waitFor()
    answer = REJECTED
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('Not delivered: HTTP 500 in 5 ms').waitFor()
    await page.getByText('The receiver answered with HTTP status 500.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'View delivery' }).click()
    await page.getByRole('heading', { name: 'signer.signed', level: 1 }).waitFor()
    await page.getByText('X-Svc-Test: true').waitFor()
  })
})

describe('the history', () => {
  test('follows what happens while it is open, and keeps the focus', async () => {
    await openWebhook()
    await page.getByRole('link', { name: 'All deliveries' }).click()
    await page.getByText('1 to 2 of 2').waitFor()
    await page.getByLabel('Status').focus()
    await aSentEnvelope(pages.service.client)
    await page.getByText('1 to 3 of 3').waitFor()
    await statusOfNewest('Rejected / Unreachable').waitFor()
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT')
    expect(await seriousFaults(page)).toEqual([])
  })

  test('is filtered by status and event type, in an address that can be shared', async () => {
    await page.getByLabel('Status').selectOption('Rejected / Unreachable')
    await page.getByText('1 to 1 of 1').waitFor()
    await page.getByLabel('Event type').selectOption('signer.signed')
    await page.getByText('No matching deliveries').waitFor()
    expect(page.url()).toMatch(/\/deliveries\?status=REJECTED_UNREACHABLE&type=signer\.signed$/)
    await page.reload()
    await page.getByText('No matching deliveries').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1 to 3 of 3').waitFor()
  })

  test('shows each attempt and the exact body of a delivery, which can be sent again', async () => {
    await page.locator('.rows li a').first().click()
    await page.getByText('Failed with HTTP 500').waitFor()
    await page.getByText('The receiver answered with HTTP status 500.').waitFor()
    const [event] =
      await owner()`select body from events where type = 'envelope.sent' and envelope_id <> '00000000-0000-0000-0000-000000000000'`
    const body = page.locator('pre')
    expect(await body.innerText()).toBe(event!['body'])
    await page.getByLabel('Pretty-print').check()
    expect(await body.innerText()).toBe(JSON.stringify(JSON.parse(event!['body']), null, 2))
    expect(await seriousFaults(page)).toEqual([])
    answer = OK
    const before = page.url()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The event is being sent again').waitFor()
    expect(page.url()).not.toBe(before)
    await page.getByText('Accepted with HTTP 204').waitFor()
    await page.getByText('Resent', { exact: true }).waitFor()
  })

  test('sends everything again that gave up since a time, and says how much', async () => {
    await owner()`delete from delivery_jobs`
    await owner()`update deliveries set status = 'GAVE_UP' where status = 'REJECTED'`
    await page.getByRole('link', { name: 'Back to Delivery history' }).click()
    await page.getByRole('button', { name: 'Send failed events again…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send failed events again' })
    expect(await seriousFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('1 event is being sent again').waitFor()
    await statusOfNewest('Delivered').waitFor()
  })
})

describe('a webhook', () => {
  test('is shown with its state and its last day, on a phone too', async () => {
    await page.goto(`${url}/webhooks`)
    await page.getByRole('img', { name: 'Last 24 hours: 2 delivered, 1 failed' }).waitFor()
    await page.getByText('1 of 20 webhooks').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('is edited, and its secret rotated and ended', async () => {
    await openWebhook()
    await page.getByLabel('Description (optional)').fill('ERP')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Webhook saved').waitFor()
    await confirm('Create new secret')
    await page.getByRole('dialog', { name: 'Save the new signing secret now' }).waitFor()
    await page.getByRole('button', { name: 'I have saved the secret' }).click()
    await page.getByText(/The previous secret also signs for another 2[34]:\d\d:\d\d\./).waitFor()
    await confirm('Revoke the previous secret now')
    await page.getByText('Previous secret revoked').waitFor()
    await page.getByRole('button', { name: 'Create new secret' }).waitFor()
  })

  test('is disabled and enabled, by keyboard, with a word on what waits', async () => {
    await openWebhook()
    await page.getByRole('button', { name: 'Disable', exact: true }).press('Enter')
    await page.getByText('Deliveries that are waiting, including retries, end now').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Webhook disabled').waitFor()
    await page.getByText('Disabled by an admin').first().waitFor()
    await confirm('Enable')
    await page.getByText('Webhook enabled').waitFor()
  })

  test('that was disabled automatically says so, and is enabled by an accepted test', async () => {
    await owner()`update webhooks set disabled_automatically_at = now(), consecutive_exhausted = 3`
    await owner()`insert into webhook_probes (org_id, webhook_id, due_at) select org_id, id, now() + interval '6 hours' from webhooks`
    await openWebhook()
    await page.getByText('3 deliveries in a row used up all retries.').waitFor()
    await page.getByText('Next probe in 5 hours.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Test now' }).click()
    await page.getByText('3 deliveries in a row used up all retries.').waitFor({ state: 'detached' })
    expect(await owner()`select disabled_reason from webhooks`).toEqual([{ disabledReason: null }])
  })

  test('whose secret was rotated in Kubernetes shows the new one once', async () => {
    await owner()`update webhooks set secret_shown_at = null`
    await openWebhook()
    await page.getByText('A new secret was created outside the panel').waitFor()
    await page.getByRole('button', { name: 'Show new secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save the new signing secret now' })
    await dialog.getByText(/^whsec_/).waitFor()
    await page.getByRole('button', { name: 'I have saved the secret' }).click()
    await page.getByRole('button', { name: 'Show new secret' }).waitFor({ state: 'detached' })
  })

  test('that is suspended says so, is disabled and enabled here besides, and stays suspended', async () => {
    await owner()`update webhooks set suspended_at = now()`
    await openWebhook()
    await page.getByText('Suspended with kubectl').first().waitFor()
    await page.getByText('set suspend to false').waitFor()
    await confirm('Disable')
    await page.getByText('It is also disabled here (Disabled by an admin)').waitFor()
    await confirm('Enable')
    await page.getByText('Enabled here, but still suspended with kubectl').waitFor()
    await page.getByText('It is also disabled here').waitFor({ state: 'detached' })
    expect(await seriousFaults(page)).toEqual([])
    await owner()`update webhooks set suspended_at = null`
  })

  test('of Kubernetes is read, with its object, and says when that is missing', async () => {
    await owner()`update webhooks set origin = 'KUBERNETES', object_uid = 'u1', object_namespace = 'shop', object_name = 'orders', object_generation = 1,
      object_created_at = now()`
    await openWebhook()
    await page.getByText('Managed in Kubernetes').waitFor()
    await page.getByText('the WebhookSubscription shop/orders in your cluster').waitFor()
    for (const name of ['Save', 'Disable', 'Delete', 'Create new secret', 'Show new secret'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    await owner()`update webhooks set orphaned_at = now()`
    await page.getByText('Its object in Kubernetes is missing').waitFor()
    await page.goto(`${url}/webhooks`)
    await page.getByText('Kubernetes: shop/orders').waitFor()
    await page.getByText('Object missing').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await owner()`update webhooks set origin = 'API', orphaned_at = null`
  })

  test('is read in German', async () => {
    await using guest = await aVisitor(pages.browser, { locale: 'de-DE' })
    await guest.page.goto(`${url}/webhooks`)
    await guest.page.getByLabel('E-Mail').fill(pages.admin.email)
    await guest.page.getByLabel('Passwort').fill(PASSWORD)
    await guest.page.keyboard.press('Enter')
    await guest.page.getByText('1 von 20 Webhooks').waitFor()
    await guest.page.getByRole('link', { name: new RegExp(HOST) }).click()
    answer = { responseStatus: 500, failure: { code: 'HTTP_STATUS', detail: '500' }, durationMs: 1_500 }
    await guest.page.getByRole('button', { name: 'Testereignis senden' }).click()
    await guest.page.getByText('Nicht zugestellt: HTTP 500 in 1,5 s').waitFor()
    await guest.page.getByText('Der Empfänger antwortete mit einem Fehlerstatus.').waitFor()
    expect(guest.complaints).toEqual([])
  })

  test('is deleted after one question', async () => {
    await openWebhook()
    await confirm('Delete')
    await page.getByText('Webhook deleted').waitFor()
    await page.getByText('No webhooks yet').waitFor()
  })
})

test('nothing of this broke the policy or logged an error', () => {
  expect(visitor.complaints).toEqual([])
})
