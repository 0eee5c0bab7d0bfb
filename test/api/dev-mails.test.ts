import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
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
