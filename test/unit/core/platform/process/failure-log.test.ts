// What loops log of their failures: an unavailable database at once and then once a minute, a monitored dependency not at all, a bug each time.
import type { Logger } from '#core/platform/log.ts'
import { newFailureLog } from '#core/platform/process/failure-log.ts'
import { StartupError } from '#core/platform/process/startup-error.ts'
import postgres from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const AWAY = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
const AWAY_SENTENCE = 'SEALWRIGHT_DATABASE_URL: the database cannot be reached (connect ECONNREFUSED 127.0.0.1:5432).'

let logged: unknown[]
let failures: ReturnType<typeof newFailureLog>

beforeEach(() => {
  vi.useFakeTimers()
  logged = []
  const tell = (fields: Record<string, unknown>, event: string) => void logged.push([event, fields['fault'] ?? fields['err']])
  failures = newFailureLog({ debug: () => {}, info: tell, warn: tell, error: tell } as unknown as Logger, 'loop.failed')
})
afterEach(() => vi.useRealTimers())

/** An error of the server as the driver throws it. */
function refusal(code: string, message: string): Error {
  return Object.assign(new postgres.PostgresError(message as never), { code, message })
}

test('an unavailable database is logged in one sentence, once a minute, and when it is back', () => {
  for (let seconds = 0; seconds < 90; seconds++) {
    failures.failed(AWAY, { loop: 'seal' })
    vi.advanceTimersByTime(1_000)
  }
  failures.worked()
  failures.worked()
  expect(logged).toEqual([
    ['database.unavailable', AWAY_SENTENCE],
    ['database.unavailable', AWAY_SENTENCE],
    ['database.unavailable.over', undefined],
  ])
})

test.each([
  ['57P03', 'the database system is starting up', 'the database cannot be reached (the database system is starting up)'],
  ['28P01', 'password authentication failed', 'the user or the password is wrong (password authentication failed)'],
  ['25006', 'cannot execute UPDATE in a read-only transaction', /^SEALWRIGHT_DATABASE_URL: the database takes no changes/],
])('%s is a database outage', (code, message, sentence) => {
  failures.failed(refusal(code, message), {})
  const expected = typeof sentence === 'string' ? `SEALWRIGHT_DATABASE_URL: ${sentence}.` : expect.stringMatching(sentence)
  expect(logged).toEqual([['database.unavailable', expected]])
})

test('an unavailable dependency is left to its monitor', () => {
  for (let tries = 0; tries < 3; tries++)
    failures.failed(new StartupError('NATS_UNREACHABLE', 'NATS is away.'), { loop: 'relay' })
  failures.worked()
  expect(logged).toEqual([])
})

test.each([
  ['of ours', new Error('not a function')],
  ['of a statement', refusal('42703', 'column does not exist')],
  ['of a right to one table', refusal('42501', 'permission denied for table mails')],
])('an error %s is logged each time, unchanged', (_, error) => {
  failures.failed(error, { loop: 'seal' })
  failures.failed(error, { loop: 'seal' })
  expect(logged).toEqual([
    ['loop.failed', error],
    ['loop.failed', error],
  ])
})
