import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkDelivery } from '#core/webhook/check-delivery.ts'
import { generateSecret, secretContext } from '#core/webhook/secret.ts'
import { signatureHeader } from '#core/webhook/send/signature.ts'
import { newId, WebhookId } from '#core/ids.ts'
import { currentTime } from '#core/platform/postgres/clock.ts'
import { anInbox } from '../support/builders/webhook-inbox.ts'
import { secondReplica } from '../support/servers/second-replica.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const BODY = '{"id":"1","type":"envelope.sent","title":"<b onclick=\\"x\\">Lease</b>"}'
const REQUEST = {
  id: 1,
  at: '2026-11-25T00:00:00.000Z',
  method: 'POST',
  path: '/hooks',
  headers: { 'x-svc-event-type': 'envelope.sent', 'x-svc-test': 'true' },
  body: BODY,
  signatureValid: true,
  answer: { status: 200 },
}

let service: TestService
let url: string
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  service = stack.use(await testService())
  url = `${stack.use(await secondReplica(service.api, { webhookInbox: anInbox([REQUEST]) })).url}/dev/webhooks`
})
afterAll(() => stack.disposeAsync())

const setAnswer = (body: string, contentType = 'application/json') =>
  fetch(`${url}/behaviour`, { method: 'POST', headers: { 'Content-Type': contentType }, body })

describe('the page of the webhook receiver', () => {
  // requirements: running/starting/webhook receiver
  test('lists requests as JSON', async () => {
    const answer = await fetch(url, { headers: { Accept: '*/*' } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({
      endpointUrl: 'https://127.0.0.1:4430/',
      behaviour: { status: 200 },
      requests: [REQUEST],
    })
  })

  // requirements: running/starting/webhook receiver
  test('is an HTML page for browsers, without inline code, and escapes bodies', async () => {
    const page = await (await fetch(url, { headers: { Accept: 'text/html,*/*' } })).text()
    expect(page).toContain('<code>https://127.0.0.1:4430/</code>')
    expect(page).toContain('Signature valid')
    expect(page).toContain('test event')
    expect(page).not.toMatch(/<b onclick| style="| on[a-z]+="|<style|<script>/)
    for (const [, file] of page.matchAll(/(?:href|src)="(\/dev\/[^"]+)"/g))
      expect((await fetch(new URL(file!, url))).status).toBe(200)
  })

  // requirements: running/starting/webhook receiver
  test('sets the answer to the next requests', async () => {
    for (const behaviour of [{ status: 503 }, { hang: true }, { status: 200 }]) {
      expect((await setAnswer(JSON.stringify(behaviour))).status).toBe(200)
      expect(await (await fetch(url)).json()).toMatchObject({ behaviour })
    }
  })

  test.each([
    ['an interim status', '{"status":100}', 'application/json', 400],
    ['a status that does not exist', '{"status":600}', 'application/json', 400],
    ['text', '{"status":"500"}', 'application/json', 400],
    ['both', '{"status":500,"hang":true}', 'application/json', 400],
    ['nothing', '', 'application/json', 400],
    ['a form of another site', 'status=500', 'application/x-www-form-urlencoded', 415],
    ['a simple request of another site', '{"status":500}', 'text/plain', 415],
  ])('refuses %s', async (_, body, contentType, status) => {
    expect((await setAnswer(body, contentType)).status).toBe(status)
    expect(await (await fetch(url)).json()).toMatchObject({ behaviour: { status: 200 } })
  })

  test.each([
    ['POST', '', 'GET, HEAD'],
    ['GET', '/behaviour', 'POST'],
  ])('%s %s is 405', async (method, path, allowed) => {
    const answer = await fetch(url + path, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
  })
})

describe('the check of a delivery', () => {
  test('knows the live secrets of webhooks at this port, of every organisation', async () => {
    const { organisation } = await service.anotherOrganisation()
    const aSecret = () => generateSecret(service.system.keys, newId(WebhookId))
    const [current, previous, expired] = [aSecret(), aSecret(), aSecret()]
    const add = async (endpoint: string, before: string, grace: string) => {
      const id = newId(WebhookId)
      const box = (secret: string) => service.system.keys.seal(secret, secretContext(id))
      await service.database.system`
        insert into webhooks (org_id, id, url, event_types, secret_box, secret_last_four, previous_secret_box, previous_secret_expires_at)
        values (${organisation.orgId}, ${id}, ${endpoint}, ${['envelope.sent']}, ${box(current.secret)}, '', ${box(before)},
          sealwright_now() + ${grace}::interval)`
    }
    await add('https://127.0.0.1:4430/a', previous.secret, '1 hour')
    await add('https://127.0.0.1:4430/b', expired.secret, '-1 second')
    const seconds = Math.floor((await currentTime(service.database.system)).getTime() / 1000)
    const verdict = async (secret: string, port = 4430) => {
      const body = Buffer.from(BODY)
      const signature = signatureHeader(seconds, body, [secret])
      return (await checkDelivery(service.system, port, { signature, body })).signatureValid
    }
    expect([await verdict(current.secret), await verdict(previous.secret)]).toEqual([true, true])
    expect([await verdict(expired.secret), await verdict(current.secret, 4431)]).toEqual([false, false])
    expect(await checkDelivery(service.system, 4430, { body: Buffer.from(BODY) })).toMatchObject({ signatureValid: false })
  })
})
