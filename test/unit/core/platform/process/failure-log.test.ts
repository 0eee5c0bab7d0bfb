// What loops write of their failures: a database that is away once and then once a minute, a part that is watched not at all, a fault of ours each time.
import type { Logger } from '#core/platform/log.ts'
import { newFailureLog } from '#core/platform/process/failure-log.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import postgres from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const AWAY = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
const AWAY_SENTENCE = 'SEALWRIGHT_DATABASE_URL: the database cannot be reached (connect ECONNREFUSED 127.0.0.1:5432).'

let logged: unknown[]
let failures: ReturnType<typeof newFailureLog>

beforeEach(() => {
  vi.useFakeTimers()
  logged = []
  const write = (fields: Record<string, unknown>, event: string) => void logged.push([event, fields['reason'] ?? fields['err']])
  failures = newFailureLog({ debug: () => {}, info: write, warn: write, error: write } as unknown as Logger, 'loop.failed')
})
afterEach(() => vi.useRealTimers())

/** As the driver throws what the server says. */
function refusal(code: string, message: string): Error {
  return Object.assign(new postgres.PostgresError(message as never), { code, message })
}

test('a database that is away is logged in a sentence, once a minute, and when it is back', () => {
  for (let seconds = 0; seconds < 90; seconds++) {
    failures.failed(AWAY, { loop: 'seal' })
    vi.advanceTimersByTime(1_000)
  }
  failures.worked()
  failures.worked()
  expect(logged).toEqual([
    ['database.unavailable', AWAY_SENTENCE],
    ['database.unavailable', AWAY_SENTENCE],
    ['database.unavailable.resolved', undefined],
  ])
})

test.each([
  ['57P03', 'the database system is starting up', 'the database cannot be reached (the database system is starting up)'],
  ['28P01', 'password authentication failed', 'the user or the password is wrong (password authentication failed)'],
  ['25006', 'cannot execute UPDATE in a read-only transaction', /^SEALWRIGHT_DATABASE_URL: the database is read-only/],
])('%s is a fault of the database', (code, message, sentence) => {
  failures.failed(refusal(code, message), {})
  const expected = typeof sentence === 'string' ? `SEALWRIGHT_DATABASE_URL: ${sentence}.` : expect.stringMatching(sentence)
  expect(logged).toEqual([['database.unavailable', expected]])
})

test('a part that is away is left to its monitor', () => {
  for (let tries = 0; tries < 3; tries++)
    failures.failed(new StartupError('NATS_UNREACHABLE', 'NATS is away.'), { loop: 'relay' })
  failures.worked()
  expect(logged).toEqual([])
})

test.each([
  ['of ours', new Error('not a function')],
  ['of a statement', refusal('42703', 'column does not exist')],
  ['of a right to one table', refusal('42501', 'permission denied for table mails')],
])('a fault %s is logged each time, as it is', (_, error) => {
  failures.failed(error, { loop: 'seal' })
  failures.failed(error, { loop: 'seal' })
  expect(logged).toEqual([
    ['loop.failed', error],
    ['loop.failed', error],
  ])
})
