// A mail server that lets us sign in and refuses our sender: known as a fault until it takes a mail, and tried with single mails meanwhile.
import type { Logger } from '#core/log.ts'
import type { MailTransport, RenderedMail, SendOutcome } from '#core/mail/mail-transport.ts'
import { watchSmtp } from '#core/mail/watched-smtp.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const MAIL: RenderedMail = { id: 'mail', to: 'ada@example.test', sentAt: new Date(0), subject: 's', text: 't', html: 'h' }
const DENIED: SendOutcome = { outcome: 'denied', error: 'MAIL FROM: 553 not yours' }
const SENTENCE = 'SEALWRIGHT_SMTP_URL: the server does not take mails (MAIL FROM: 553 not yours).'

let says: SendOutcome
let told: string[]
let transport: MailTransport

beforeEach(async () => {
  vi.useFakeTimers()
  says = { outcome: 'accepted' }
  told = []
  const tell = (_fields: unknown, event: string) => void told.push(event)
  const log = { debug: tell, info: tell, warn: tell, error: tell } as unknown as Logger
  transport = watchSmtp({ verify: async () => {}, send: async () => says, close: async () => {} }, log)
})
afterEach(async () => {
  await transport.close()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** As the mail role does, ten times a second; answers how many mails were tried. */
async function tryMailsFor(seconds: number): Promise<number> {
  let tried = 0
  for (let tenths = 0; tenths < seconds * 10; tenths++) {
    if (transport.mayTry()) {
      tried++
      await transport.send(MAIL)
    }
    await pass(100)
  }
  return tried
}

test('a refused sender stays a fault while the server lets us sign in, and few mails are tried', async () => {
  says = DENIED
  await transport.send(MAIL)
  for (let seconds = 0; seconds < 60; seconds++) {
    expect(transport.fault()).toBe(SENTENCE)
    await tryMailsFor(1)
  }
  expect(await tryMailsFor(60)).toBeLessThanOrEqual(7)
  expect(told).not.toContain('mail.unavailable.over')
})

test.each(['accepted', 'delayed', 'refused'] as const)(
  'one mail that is %s lets all others out, and is the end of the fault',
  async (outcome) => {
    says = DENIED
    await transport.send(MAIL)
    await tryMailsFor(60)
    says = outcome === 'accepted' ? { outcome } : { outcome, error: 'RCPT TO: no' }
    // Ten seconds until the next single mail, and as long until the server is asked again.
    expect(await tryMailsFor(21)).toBeGreaterThan(100)
    expect(transport.fault()).toBeUndefined()
    expect(transport.mayTry()).toBe(true)
    expect(told.at(-1)).toBe('mail.unavailable.over')
  },
)

test('a fault that no mail has met for ten minutes is over', async () => {
  says = DENIED
  await transport.send(MAIL)
  await pass(595_000)
  expect(transport.fault()).toBe(SENTENCE)
  await pass(20_000)
  expect(transport.fault()).toBeUndefined()
})

test('a server that is away is back as soon as it lets us sign in', async () => {
  says = { outcome: 'unreachable', error: 'ECONNREFUSED' }
  await transport.send(MAIL)
  expect(transport.mayTry()).toBe(false)
  await pass(250)
  expect(transport.fault()).toBeUndefined()
})
