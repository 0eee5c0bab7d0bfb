import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { anInbox } from '../support/builders/webhook-inbox.ts'
import { secondReplica } from '../support/servers/second-replica.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const HOSTILE = '<b onclick="x">Lease</b> & \'more\''

let service: TestService

beforeAll(async () => {
  service = await testService()
  await aSentEnvelope(service.client, { title: 'Lease', signers: [ADA] })
  await service.sendMails()
  await aSentEnvelope(service.client, { title: HOSTILE, signers: [BEN] })
  await service.sendMails()
})
afterAll(() => service[Symbol.asyncDispose]())

const read = (accept: string) => fetch(`${service.url}/dev/mails`, { headers: { Accept: accept } })

describe('the mailbox of the embedded run', () => {
  // requirements: running/starting/mailbox
  test('lists unsent emails as JSON, newest first', async () => {
    const answer = await read('*/*')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const mails = (await answer.json()) as Record<string, unknown>[]
    expect(mails.map(({ to }) => to)).toEqual([BEN.email, ADA.email])
    for (const mail of mails) {
      expect(Object.keys(mail).toSorted()).toEqual(['html', 'id', 'sentAt', 'subject', 'text', 'to'])
      expect(mail['sentAt']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    }
  })

  // requirements: running/starting/mailbox
  test('is an HTML page with clickable links, and escapes titles', async () => {
    const page = await (await read('text/html,*/*')).text()
    expect(page).toMatch(new RegExp(`<a href="${service.url}/sign/[\\w-]{43}">`))
    expect(page).toMatch(/to ada@example\.test · \d+ \w+ \d{4}, \d\d:\d\d UTC</)
    expect(page).not.toContain('<b onclick')
    expect(page).toContain('&lt;b onclick=&quot;x&quot;&gt;Lease')
  })
})

/** The status of a request with these headers, which `fetch` does not let a test set. */
function statusOf(url: string, path: string, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { headers, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => (text += String(chunk)))
      answer.on('end', () => resolve(`${answer.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim()))
    })
    sent.once('error', reject).end()
  })
}

// requirements: decisions/doors/dev pages
describe('the /dev pages do not exist', () => {
  const UNKNOWN = '404 ROUTE_NOT_FOUND'
  const PAGES = ['/dev/mails', '/dev/webhooks']
  const withPages = () => ({ fileMailbox: service.mails, webhookInbox: anInbox() })

  test.each([
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-Host', 'localhost'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Real-IP', '127.0.0.1'],
    ['Forwarded', 'for=127.0.0.1'],
    ['Via', '1.1 proxy'],
  ])('for a request that a proxy sent, by its header %s', async (name, value) => {
    await using replica = await secondReplica(service.api, withPages())
    for (const page of PAGES) {
      expect(await statusOf(replica.url, page)).toBe('200')
      for (const path of [page, `${page}.css`]) expect(await statusOf(replica.url, path, { [name]: value })).toBe(UNKNOWN)
    }
  })

  test.each([
    ['a public URL', { publicUrl: 'https://sign.example.test' }],
    ['an address that others reach', { host: '0.0.0.0' }],
    ['another machine’s name', { host: 'sign.example.test' }],
  ])('with %s', async (_name, changed: { publicUrl?: string; host?: string }) => {
    const core = { ...service.api, settings: { ...service.api.settings, ...changed } }
    await using replica = await secondReplica(core, withPages())
    for (const page of PAGES) expect(await statusOf(replica.url, page)).toBe(UNKNOWN)
  })

  test.each([
    ['a public, allowed', 'sealwright.example.test', UNKNOWN],
    ['a foreign', 'elsewhere.example.test', '421 HOST_NOT_ALLOWED'],
  ])('for a Host header with %s name', async (_name, host, answer) => {
    const core = { ...service.api, settings: { ...service.api.settings, allowedHosts: ['sealwright.example.test'] } }
    await using replica = await secondReplica(core, withPages())
    for (const page of PAGES) expect(await statusOf(replica.url, page, { Host: host })).toBe(answer)
  })

  test('where emails are not kept and webhooks not received', async () => {
    await using replica = await secondReplica(service.api)
    for (const page of PAGES) expect(await statusOf(replica.url, page)).toBe(UNKNOWN)
  })
})
