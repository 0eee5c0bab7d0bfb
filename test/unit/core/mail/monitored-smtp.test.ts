// A mail server that lets us sign in and refuses our sender: known as a fault until it takes a mail, and tried with single mails meanwhile.
import type { Logger } from '#core/platform/log.ts'
import type { MailTransport, RenderedMail } from '#core/mail/mail-transport.ts'
import type { SmtpOutcome } from '#core/mail/smtp.ts'
import { monitorSmtp } from '#core/mail/monitored-smtp.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const MAIL: RenderedMail = { id: 'mail', to: 'ada@example.test', sentAt: new Date(0), subject: 's', text: 't', html: 'h' }
const ACCEPTED: SmtpOutcome = { outcome: 'accepted' }
const DENIED: SmtpOutcome = { outcome: 'denied', error: 'MAIL FROM: 553 not yours', hungUp: false }
const SENTENCE = 'SEALWRIGHT_SMTP_URL: the server does not accept emails (MAIL FROM: 553 not yours).'

let says: SmtpOutcome
let logged: string[]
let transport: MailTransport

beforeEach(async () => {
  vi.useFakeTimers()
  says = ACCEPTED
  logged = []
  const write = (_fields: unknown, event: string) => void logged.push(event)
  const log = { debug: write, info: write, warn: write, error: write } as unknown as Logger
  transport = monitorSmtp({ verify: async () => {}, send: async () => says, close: async () => {} }, log)
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
    expect(transport.lastError()).toBe(SENTENCE)
    await tryMailsFor(1)
  }
  expect(await tryMailsFor(60)).toBeLessThanOrEqual(7)
  expect(logged).not.toContain('mail.unavailable.resolved')
})

test.each(['accepted', 'delayed', 'refused'] as const)(
  'one mail that is %s lets all others out, and is the end of the fault',
  async (outcome) => {
    says = DENIED
    await transport.send(MAIL)
    await tryMailsFor(60)
    says = outcome === 'accepted' ? { outcome } : { outcome, error: 'RCPT TO: no', hungUp: false }
    // Ten seconds until the next single mail, and as long until the server is asked again.
    expect(await tryMailsFor(21)).toBeGreaterThan(100)
    expect(transport.lastError()).toBeUndefined()
    expect(transport.mayTry()).toBe(true)
    expect(logged.at(-1)).toBe('mail.unavailable.resolved')
  },
)

test('a fault that no mail has met for ten minutes is over', async () => {
  says = DENIED
  await transport.send(MAIL)
  await pass(595_000)
  expect(transport.lastError()).toBe(SENTENCE)
  await pass(20_000)
  expect(transport.lastError()).toBeUndefined()
})

test('a server that is away is back as soon as it lets us sign in', async () => {
  says = { outcome: 'unreachable', error: 'ECONNREFUSED', hungUp: false }
  await transport.send(MAIL)
  expect(transport.mayTry()).toBe(false)
  await pass(250)
  expect(transport.lastError()).toBeUndefined()
})

describe.each(['unreachable', 'denied'] as const)('a server that closes the connection on a mail and is then %s', (outcome) => {
  const hungUp: SmtpOutcome = { outcome, error: 'DATA: ECONNECTION', hungUp: true }
  async function sendInTurn(...answers: SmtpOutcome[]): Promise<string[]> {
    const outcomes: string[] = []
    for (says of answers) outcomes.push((await transport.send(MAIL)).outcome)
    return outcomes
  }

  test('has something against this mail, each time that it took the one before', async () => {
    const answers = [ACCEPTED, hungUp, ACCEPTED, hungUp]
    expect(await sendInTurn(...answers)).toEqual(['accepted', 'delayed', 'accepted', 'delayed'])
    expect([transport.lastError(), transport.mayTry()]).toEqual([undefined, true])
  })

  test('may be down when it does so again, and has nothing against any mail', async () => {
    expect(await sendInTurn(ACCEPTED, hungUp, hungUp, hungUp)).toEqual(['accepted', 'delayed', outcome, outcome])
    expect(transport.lastError()).toMatch(/DATA: ECONNECTION/)
  })

  test('may be down when it has taken none so far', async () => {
    expect(await sendInTurn(hungUp)).toEqual([outcome])
  })

  test('may be down when it put off or denied another meanwhile', async () => {
    const putOff: SmtpOutcome = { outcome: 'delayed', error: 'RCPT TO: 451', hungUp: false }
    expect(await sendInTurn(ACCEPTED, putOff, hungUp)).toEqual(['accepted', 'delayed', outcome])
    expect(await sendInTurn(ACCEPTED, DENIED, hungUp)).toEqual(['accepted', 'denied', outcome])
  })
})

test('a server that goes away before it has heard of a mail has nothing against it', async () => {
  await transport.send(MAIL)
  says = { outcome: 'unreachable', error: 'ECONNREFUSED', hungUp: false }
  expect(await transport.send(MAIL)).toMatchObject({ outcome: 'unreachable' })
  expect(transport.mayTry()).toBe(false)
})
