// What a signer's call asks of the database, and in how many round trips: all of it is asked for again and again, so none of it grows unnoticed.
// A call that needs more than its budget is shown with every statement.
import type postgres from 'postgres'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase } from '#core/postgres/client.ts'
import type { Answer } from '../support/api-client.ts'
import { aSentEnvelope } from '../support/envelopes.ts'
import { secondReplica } from '../support/second-replica.ts'
import { signer as signerAt } from '../support/signer.ts'
import { testService, type TestService } from '../support/test-service.ts'

interface Asked {
  statement: string
  /** Statements of one trip are put on the way together, before anything else happens. */
  trip: number
}

const watch = vi.hoisted(() => ({ asked: [] as Asked[], trip: 0, underWay: false }))
vi.mock('postgres', async (original) => {
  const { default: open } = await original<{ default: typeof postgres }>()
  const note = (_connection: number, text: string) => {
    const statement = text.replaceAll(/\s+/g, ' ').trim()
    if (NOBODYS.some((part) => statement.includes(part))) return
    if (!watch.underWay) {
      watch.trip++
      watch.underWay = true
      setImmediate(() => (watch.underWay = false))
    }
    watch.asked.push({ statement, trip: watch.trip })
  }
  const watched = (url: string, options: postgres.Options<Record<string, postgres.PostgresType>>) =>
    open(url, options.connection?.['role'] === 'sealwright_api' ? { ...options, debug: note } : options)
  return { default: Object.assign(watched, open) }
})

/** Asked when a connection is new, and once a second for the clock, whoever comes. */
const NOBODYS = ['pg_catalog.pg_type', 'select sealwright_now() as now']

let service: TestService
let replica: Awaited<ReturnType<typeof secondReplica>>
/** One connection, so that a statement that was asked once is known from then on and waits for nothing. */
let database: ReturnType<typeof openDatabase>

beforeAll(async () => {
  service = await testService({
    SEALWRIGHT_RATE_CEREMONY_PER_TOKEN_PER_MINUTE: '60',
    SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE: '300',
  })
  database = openDatabase({ url: service.database.url, pool: 1, role: 'sealwright_api' })
  replica = await secondReplica({ ...service.api, database })
  for (const otpRequired of [false, true]) await walk({ otpRequired })
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await database.end()
  await service[Symbol.asyncDispose]()
})

/** What each call of an envelope's only signer asked for until it had an answer, or began to wait for the sealed copies. */
async function walk({ otpRequired = false, sealed = true } = {}): Promise<Record<string, Asked[]>> {
  const { tokens } = await aSentEnvelope(service.client, { otpRequired })
  const ada = signerAt(replica.url, tokens[0]!.token)
  const seen: Record<string, Asked[]> = {}
  const call = async (name: string, request: () => Promise<Answer>) => {
    watch.asked = []
    const { status, body } = await request()
    expect([200, 204]).toContain(status)
    seen[name] = watch.asked
    return body
  }
  await call('open', ada.open)
  if (otpRequired) {
    const { challengeId } = await call('request-otp', ada.requestOtp)
    await service.sendMails()
    const code = /\b\d{6}\b/.exec((await service.mails.list())[0]!.text)![0]
    await call('verify-otp', () => ada.verifyOtp(challengeId, code))
  }
  await call('view-opened', ada.viewOpened)
  await call('sign', () => (sealed ? whileSealing(ada.sign) : ada.sign()))
  await service.sealEnvelopes()
  await call('signed-documents', ada.signedCopy)
  return seen
}

async function whileSealing(sign: () => Promise<Answer>): Promise<Answer> {
  const signing = { over: false, answer: sign() }
  void signing.answer.finally(() => (signing.over = true))
  while (!signing.over) await service.sealEnvelopes()
  return signing.answer
}

const isLook = ({ statement }: Asked) => statement.endsWith('as sealed')

test.each([
  ['with a code', true, { 'request-otp': [15, 6], 'verify-otp': [12, 6] }],
  ['without a code', false, { open: [8, 4], 'view-opened': [10, 5], sign: [15, 7], 'signed-documents': [8, 4] }],
] as const)('a ceremony %s asks for no more than it needs', async (_, otpRequired, budgets) => {
  const seen = await walk({ otpRequired })
  for (const [name, [statements, trips]] of Object.entries(budgets)) {
    const asked = seen[name]!.filter((each, place, all) => place < all.findIndex(isLook) || !all.some(isLook))
    const shown = asked.map(({ statement, trip }) => `${trip - asked[0]!.trip + 1}: ${statement.slice(0, 90)}`)
    expect(asked.length, `statements of ${name}:\n${shown.join('\n')}`).toBeLessThanOrEqual(statements)
    const taken = new Set(asked.map(({ trip }) => trip)).size
    expect(taken, `round trips of ${name}:\n${shown.join('\n')}`).toBeLessThanOrEqual(trips)
  }
})

test('the last signer waits for the sealed copies with one statement a look', async () => {
  const { sign } = await walk({ sealed: false })
  const waiting = sign!.slice(sign!.findIndex(isLook))
  expect(waiting.length).toBeGreaterThan(5)
  expect(waiting.length).toBeLessThan(20)
  expect(waiting.every(isLook)).toBe(true)
})

test('the last signer reads the sealed copies once', async () => {
  const { sign } = await walk()
  expect(sign!.slice(sign!.findLastIndex(isLook) + 1)).toHaveLength(6)
})
