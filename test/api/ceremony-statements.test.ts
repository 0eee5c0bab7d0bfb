// The Postgres statements of a signer's calls, by table and round trip, so that no increase goes unnoticed: every envelope costs some of
// each. Includes single reads, which have a separate connection.
import type postgres from 'postgres'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { awaitSignedCopy } from '#core/envelope/ceremony/await-signed-copy.ts'
import { getSignedCopy } from '#core/envelope/ceremony/get-signed-copy.ts'
import { openLink } from '#core/envelope/ceremony/open-link.ts'
import { recordViewOpened } from '#core/envelope/ceremony/record-view.ts'
import { requestOtp } from '#core/envelope/ceremony/request-otp.ts'
import { signEnvelope, type SignOutcome } from '#core/envelope/ceremony/sign-envelope.ts'
import { verifyOtp } from '#core/envelope/ceremony/verify-otp.ts'
import type { Core } from '#core/context.ts'
import { ChallengeId } from '#core/ids.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { NOWHERE } from '../support/invariants/races/world.ts'
import { recordTrips, type TripRecorder } from '../support/judges/round-trips.ts'
import { SIGNATURE_IMAGE } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

/** While set, connections of newly opened pools are recorded. */
const watch = vi.hoisted((): { recorder?: TripRecorder } => ({}))
vi.mock('postgres', async (original) => {
  const { default: open } = await original<{ default: typeof postgres }>()
  const watched = (url: string, options: postgres.Options<Record<string, postgres.PostgresType>>) =>
    open(url, watch.recorder ? { ...options, debug: watch.recorder.note } : options)
  return { default: Object.assign(watched, open) }
})

let service: TestService
/** One connection and the shared reader's, with all statements prepared: an unprepared one takes an extra round trip. */
let database: Database
let core: Core
const recorder = recordTrips()

beforeAll(async () => {
  service = await testService()
  watch.recorder = recorder
  database = openDatabase({ url: service.database.url, pool: 1, role: 'sealwright_api' })
  delete watch.recorder
  core = { ...service.api, database }
})
afterAll(async () => {
  await database.end()
  await service[Symbol.asyncDispose]()
})

/** The round trips of the second run. */
async function tripsOf<Ready>(prepare: () => Promise<Ready>, work: (ready: Ready) => Promise<unknown>): Promise<string[][]> {
  await work(await prepare())
  const ready = await prepare()
  recorder.take()
  await work(ready)
  return recorder.take()
}

async function sent(overrides = {}): Promise<string> {
  const { tokens } = await aSentEnvelope(service.client, overrides)
  return tokens[0]!.token
}

async function viewed(overrides = {}): Promise<string> {
  const token = await sent(overrides)
  await recordViewOpened(core, token, NOWHERE)
  return token
}

const sign = (token: string): Promise<SignOutcome> =>
  signEnvelope(core, token, { signatureImage: SIGNATURE_IMAGE, language: 'en' }, NOWHERE)

const OWNER = ['from find_link_owner']
const LOCKED = ['begin', 'from envelopes', 'from document_views', 'join audit_heads']

test('reading the link', async () => {
  expect(await tripsOf(sent, (token) => openLink(core, token, 'en'))).toEqual([
    OWNER,
    ['begin', 'from envelopes', 'from document_views', 'from documents', 'from envelopes'],
    ['commit'],
    ['from signers'],
  ])
})

test('a first view', async () => {
  expect(await tripsOf(sent, (token) => recordViewOpened(core, token, NOWHERE))).toEqual([
    OWNER,
    LOCKED,
    ['insert into document_views', 'insert into audit_events', 'insert into events'],
    ['commit'],
  ])
})

test('the last signature', async () => {
  expect(await tripsOf(viewed, sign)).toEqual([
    OWNER,
    ['from document_views'],
    LOCKED,
    ['insert into signatures', 'from signers'],
    ['update envelopes', 'insert into seal_jobs', 'insert into events', 'insert into outbox', 'insert into audit_events'],
    ['update organisations', 'commit'], // last: all envelopes of the organisation need the row
  ])
})

test('a signature that lets the next signer in', async () => {
  const inTurn = () => viewed({ signers: [ADA, BEN], sequentialSigning: true })
  const [signature, letIn, ...others] = (await tripsOf(inTurn, sign)).slice(3)
  expect(signature).toEqual(['insert into signatures', 'from signers'])
  expect(letIn).toEqual([
    'update envelopes',
    'insert into events',
    'insert into audit_events',
    'update signing_links',
    'update signers',
    'update mails',
    'from signing_links',
  ])
  // What depends on two answers is pipelined when both arrive together.
  expect(others.slice(0, -1).flat().toSorted()).toEqual(['insert into outbox', 'update envelopes'])
  expect(others.at(-1)).toEqual(['insert into quota_windows', 'commit'])
})

const withCode = () => sent({ otpRequired: true })

test('requesting a code', async () => {
  expect((await tripsOf(withCode, (token) => requestOtp(core, token, NOWHERE))).slice(1)).toEqual([
    LOCKED,
    ['from otp_challenges', 'from otp_challenges'],
    [
      'update otp_challenges',
      'insert into otp_challenges',
      'insert into mails',
      'insert into outbox',
      'insert into audit_events',
    ],
    ['insert into quota_windows', 'commit'], // last: all emails of the organisation need the row
  ])
})

async function mailed() {
  const token = await withCode()
  const { challengeId } = await requestOtp(core, token, NOWHERE)
  await service.sendMails()
  const [mail] = await service.mails.list()
  return { token, challengeId: ChallengeId.parse(challengeId), code: /\b\d{6}\b/.exec(mail!.text)![0] }
}

test('a correct code', async () => {
  expect((await tripsOf(mailed, ({ token, ...code }) => verifyOtp(core, token, code, NOWHERE))).slice(1)).toEqual([
    LOCKED,
    ['from otp_challenges'],
    ['update otp_challenges', 'insert into audit_events', 'update signing_links', 'insert into events'],
    ['commit'],
  ])
})

const LOOK = ['from documents']
const COPIES = [['begin', 'from envelopes', 'from document_views', 'from documents', 'from envelopes'], ['commit']]

async function sealed(): Promise<{ token: string; outcome: SignOutcome }> {
  const token = await viewed()
  const outcome = await sign(token)
  await service.sealEnvelopes()
  return { token, outcome }
}

test('the sealed copies, for a waiting and a returning signer', async () => {
  expect(await tripsOf(sealed, ({ outcome }) => awaitSignedCopy(core, outcome.owner))).toEqual([LOOK, ...COPIES])
  expect(await tripsOf(sealed, ({ token }) => getSignedCopy(core, token))).toEqual([OWNER, ...COPIES])
})

test('waiting for a missing seal: a few polls of one statement each', async () => {
  const { owner } = await sign(await viewed())
  recorder.take()
  expect(await awaitSignedCopy(core, owner)).toEqual([])
  const pollTimer = recorder.take()
  expect(new Set(pollTimer.flat())).toEqual(new Set(LOOK))
  expect(pollTimer.flat().length).toBeGreaterThan(5)
  expect(pollTimer.flat().length).toBeLessThan(20)
})
