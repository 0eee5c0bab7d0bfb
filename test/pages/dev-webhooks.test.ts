import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReceivedRequest } from '../../api/http/mounts/dev-webhooks/inbox.ts'
import { anInbox } from '../support/builders/webhook-inbox.ts'
import { aVisitor, sharedBrowser } from '../support/clients/browser.ts'
import { secondReplica } from '../support/servers/second-replica.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'
import { seriousFaults } from './accessibility.ts'

let service: TestService
let browser: Browser

beforeAll(async () => {
  service = await testService()
  browser = await sharedBrowser()
})
afterAll(() => service[Symbol.asyncDispose]())

const aRequest = (id: number, type: string): ReceivedRequest => ({
  id,
  at: '2026-11-25T00:00:00.000Z',
  method: 'POST',
  path: '/hooks',
  headers: { 'x-svc-event-type': type, 'x-svc-event-id': `event-${id}` },
  body: `{"type":"${type}","text":"${'long'.repeat(100)}"}`,
  signatureValid: id === 1,
  answer: { status: 200 },
})

test.each([
  ['on a desktop', {}],
  ['on a telephone in the dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
] as const)(
  'the page of the webhook receiver shows what arrives while it is open, and sets the answer, %s',
  async (_, options) => {
    const requests = [aRequest(1, 'envelope.sent')]
    const inbox = anInbox(requests)
    await using replica = await secondReplica(service.api, { webhookInbox: inbox })
    await using visitor = await aVisitor(browser, options)
    const { page, complaints } = visitor
    await page.goto(`${replica.url}/dev/webhooks`)
    await page.getByText('POST /hooks: headers').click()
    await page.getByText('x-svc-event-id: event-1').waitFor()

    requests.unshift(aRequest(2, 'signer.signed'))
    await page.getByText('signer.signed', { exact: true }).waitFor()
    await page.getByText('Signature not valid').waitFor()
    // What was opened stays open.
    expect(await page.getByText('x-svc-event-id: event-1').isVisible()).toBe(true)
    expect(await page.getByText('x-svc-event-id: event-2').isVisible()).toBe(false)

    await page.getByRole('button', { name: 'No answer (hang)' }).click()
    await page.getByText('Now: No answer (hang)').waitFor()
    expect(inbox.behaviour()).toEqual({ hang: true })
    const pressed = page.getByRole('button', { pressed: true })
    expect([
      await pressed.innerText(),
      await pressed.evaluate((button) => button === button.ownerDocument.activeElement),
    ]).toEqual(['No answer (hang)', true])
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
  },
)
