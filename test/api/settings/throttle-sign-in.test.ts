import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aPerson,
  type PanelClient,
  panelClient,
  PASSWORD,
  signedIn,
  type TestPerson,
} from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'
import { rateLimitHeaders } from '../../support/judges/rate-limit-headers.ts'

let service: TestService
let person: TestPerson

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(async () => {
  await service.database.owner`delete from sign_in_counters`
  person = await aPerson(service.system.database, service.organisation.orgId)
})
afterEach(() => service.database.moveClock(0))

const WRONG = 'not the password at all'
const stranger = (): PanelClient => panelClient(service.url)

/** The statuses of consecutive wrong passwords. */
async function failTimes(times: number, { email = person.email, browser = stranger() } = {}): Promise<number[]> {
  const statuses = []
  for (let time = 0; time < times; time++) statuses.push((await browser.signIn(email, WRONG)).status)
  return statuses
}

/** The status of a sign-in from another address of this machine. */
async function signInFrom(localAddress: string, email: string, password: string): Promise<number> {
  const body = JSON.stringify({ email, password })
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const sent = request(`${service.url}/settings/api/session`, { method: 'POST', localAddress, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end(body)
  })
}

describe('an account', () => {
  // requirements: running/panel/POST /session
  test('allows five wrong passwords; then even the right one must wait, and Retry-After says how long', async () => {
    expect(await failTimes(5)).toEqual([401, 401, 401, 401, 401])
    const { status, headers, body } = await stranger().signIn(person.email, PASSWORD)
    expect([status, headers.get('retry-after'), body.code]).toEqual([429, '5', 'RATE_LIMITED'])
    expect(rateLimitHeaders(headers)).toEqual({ 'failed-sign-ins': { policy: 'q=5;w=86400', state: 'r=0;t=5' } })
  })

  test('accepts the right password after the pause and resets the count', async () => {
    await failTimes(5)
    await service.database.moveClock(6)
    expect((await stranger().signIn(person.email, PASSWORD)).status).toBe(200)
    expect(await failTimes(5)).toEqual([401, 401, 401, 401, 401])
  })

  test('pauses for longer after each further failure', async () => {
    await failTimes(5)
    await service.database.moveClock(6)
    expect(await failTimes(1)).toEqual([401])
    const { headers } = await stranger().signIn(person.email, PASSWORD)
    expect(headers.get('retry-after')).toBe('10')
  })

  test('is not paused for longer by attempts during the pause', async () => {
    await failTimes(25)
    await service.database.moveClock(6)
    expect((await stranger().signIn(person.email, PASSWORD)).status).toBe(200)
  })

  test('checks only five passwords of a hundred concurrent ones', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => (await stranger().signIn(person.email, WRONG)).status),
    )
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(95)
  })

  test('is counted for the address in any case', async () => {
    await failTimes(4)
    await failTimes(1, { email: person.email.toUpperCase() })
    expect((await stranger().signIn(person.email, PASSWORD)).status).toBe(429)
  })

  test('that does not exist is throttled like an existing one', async () => {
    expect(await failTimes(6, { email: 'nobody@example.test' })).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('forgets failures after a day', async () => {
    await failTimes(4)
    await service.database.moveClock(24 * 3_600 + 1)
    expect(await failTimes(5)).toEqual([401, 401, 401, 401, 401])
  })

  test('is not charged for passwords that could not be checked', async () => {
    const { owner } = service.database
    const [row] = await owner<{ hash: string }[]>`select password_hash as hash from people where id = ${person.personId}`
    await owner`update people set password_hash = 'of another making' where id = ${person.personId}`
    expect(await failTimes(6)).toEqual([500, 500, 500, 500, 500, 500])
    await owner`update people set password_hash = ${row!.hash} where id = ${person.personId}`
    expect(await failTimes(5)).toEqual([401, 401, 401, 401, 401])
  })

  test('resets the count with a new password', async () => {
    await failTimes(6)
    const admin = await signedIn(service)
    await admin.post(`/people/${person.personId}/setup-link`)
    await service.sendMails()
    const [, setupToken] = /setup#([\w-]{43})/.exec((await service.mails.list()).find(({ to }) => to === person.email)!.text)!
    await stranger().post('/password', { setupToken, password: 'something quite different' })
    expect((await stranger().signIn(person.email, 'something quite different')).status).toBe(200)
  })
})

describe('a browser that has signed its person in before', () => {
  test('is not locked out by others who fail on purpose', async () => {
    const browser = stranger()
    await browser.signIn(person.email, PASSWORD)
    await browser.delete('/session')
    await failTimes(10)
    expect((await stranger().signIn(person.email, PASSWORD)).status).toBe(429)
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(200)
  })

  test('is throttled by its own failures', async () => {
    const browser = stranger()
    await browser.signIn(person.email, PASSWORD)
    expect(await failTimes(6, { browser })).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('has no effect on another account, nor does a forged mark', async () => {
    const browser = stranger()
    await browser.signIn((await aPerson(service.system.database, service.organisation.orgId)).email, PASSWORD)
    await failTimes(5)
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(429)
    browser.cookies.set('sealwright-device', `${'A'.repeat(43)}.${'A'.repeat(43)}`)
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(429)
  })
})

describe('an address', () => {
  const emails = Array.from({ length: 31 }, (_, index) => `guess-${index}@example.test`)

  test('that fails with many accounts is throttled for all; other addresses are not', async () => {
    const statuses = []
    for (const email of emails) statuses.push((await stranger().signIn(email, WRONG)).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429])
    expect((await stranger().signIn(person.email, PASSWORD)).status).toBe(429)
    expect(await signInFrom('127.0.0.2', person.email, PASSWORD)).toBe(200)
  })

  test('cannot reset its failures by signing in to its own account', async () => {
    for (const email of emails.slice(0, 29)) await stranger().signIn(email, WRONG)
    expect((await stranger().signIn(person.email, PASSWORD)).status).toBe(200)
    expect([await failTimes(1, { email: emails[29]! }), await failTimes(1, { email: emails[30]! })]).toEqual([[401], [429]])
  })
})

describe('the log', () => {
  test('has successful and rejected sign-ins, without the typed password and address', async () => {
    await failTimes(6)
    await failTimes(1, { email: 'unknown-person@example.test' })
    await service.database.moveClock(6)
    await stranger().signIn(person.email, PASSWORD)
    const log = await service.readLog()
    const lines = log.split('\n').filter((line) => line.includes(person.personId))
    const said = lines.map((line) => JSON.parse(line)).map(({ msg, reason, method }) => [msg, reason, method])
    expect(said).toEqual([
      ...Array.from({ length: 5 }, () => ['session.refused', 'wrong password', 'password']),
      ['session.refused', 'slowed down', 'password'],
      ['session.started', undefined, 'password'],
    ])
    expect(log).toContain('"reason":"unknown address"')
    for (const secret of [PASSWORD, WRONG, 'unknown-person@example.test']) expect(log).not.toContain(secret)
  })

  test('and the table of failures name no account and no address', async () => {
    await failTimes(2)
    const rows = await service.database.owner`select encode(subject, 'escape') as subject from sign_in_counters`
    expect(rows).toHaveLength(2)
    for (const { subject } of rows)
      for (const text of [person.email, person.personId, '127.0.0.1']) expect(subject).not.toContain(text)
  })
})
