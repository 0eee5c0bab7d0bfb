// Every process of the split run kills itself at kill points while envelopes are processed: at each edge between an effect and its
// acknowledgement. What was acknowledged must exist exactly once; the rest may be repeated.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiClient } from '../support/clients/api-client.ts'
import type { Progress } from '../support/clients/crash-walk.ts'
import { ask } from '../support/clients/ask.ts'
import { assertCopiesStored, assertMailed } from '../support/invariants/outside-the-database.ts'
import { assertInvariants } from '../support/invariants/invariants.ts'
import { assertDelivered } from '../support/invariants/delivered.ts'
import { runInProcess } from '../support/clients/command-line.ts'
import { type SubscribedReceiver, startSubscribedReceiver } from '../support/faults/subscribed-receiver.ts'
import { type Act, armKillPoints, type Death, listDeaths, type KillPoint } from '../support/faults/kill-points/kill-points.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import type { DevJson } from '../support/servers/running-service.ts'
import { type SmtpMailbox, startSmtpMailbox } from '../support/clients/smtp-mailbox.ts'
import { type SmtpSink, startSmtpSink } from '../support/servers/smtp-sink.ts'
import { type SplitService, startSplitService } from '../support/servers/split-service.ts'
import { walkWithRetries } from '../support/clients/retrying-client.ts'
import { timesOf } from '../support/judges/times-of.ts'

/** On a busy machine an API needs ten seconds to be back, and it dies nine times. */
const WALK = { envelopes: 12, concurrency: 5, withinMs: 240_000 }
const SETTLED_WITHIN_MS = 120_000
/** Left to expire, so that a sweep has work. */
const LAPSING = 3
const LAPSES_IN_MS = 5_000

const POINTS: [process: string, where: string, act: Act, text: string, times: number][] = [
  ['api', 'an upload is stored, its row does not say so', 'statement', 'update documents set stored_at', 1],
  ['api', 'a draft is written, not committed', 'commit', 'insert into envelopes', 1],
  ['api', 'a draft is committed, not acknowledged', 'answer', '^POST /api/v1/envelopes 201', 1],
  ['api', 'a send is written, not committed', 'commit', 'insert into signing_links', 1],
  ['api', 'a send is committed, its tokens are not answered', 'answer', '^POST /api/v1/envelopes/[^/]+/send 200', 1],
  ['api', 'a view is committed, not acknowledged', 'answer', '/view-opened 204', 1],
  ['api', 'the last signature is written, not committed', 'commit', 'insert into seal_jobs', 1],
  ['api', 'a first signature is committed, not acknowledged', 'answer', '/sign 200 .*"completed":false', 1],
  ['api', 'the last signature is committed, not acknowledged', 'answer', '/sign 200 .*"completed":true', 1],
  ['relay', 'rows are marked, nothing is published', 'write', 'PUB sealwright\\.', 1],
  ['relay', 'everything is published, no mark is committed', 'commit', 'update outbox set published_at', 3],
  ['seal', 'an envelope is claimed, nothing is read', 'statement', 'from signers s join signatures g', 1],
  ['seal', 'a copy is sealed, not recorded', 'statement', 'insert into sealed_documents', 1],
  ['seal', 'a copy is recorded, not stored', 'write', '^PUT /[^ ]*/sealed/', 1],
  ['seal', 'a copy is stored, its row does not say so', 'statement', 'update sealed_documents set stored_at', 2],
  ['seal', 'every copy is stored, the promise is not marked as kept', 'statement', 'update "seal_jobs" set state = \'DONE\'', 1],
  ['seal', 'the promise is marked as kept, not committed', 'commit', 'update "seal_jobs" set state = \'DONE\'', 1],
  ['seal', 'the promise is kept, its ring is not settled', 'write', 'PUB \\$JS\\.ACK\\.sealwright-work\\.seal', 1],
  ['seal', 'an audit report is sealed, not recorded', 'statement', 'update audit_reports set storage_key', 1],
  ['seal', 'an audit report is recorded, not stored', 'write', '^PUT /[^ ]*/reports/', 1],
  [
    'seal',
    'an audit report is stored, the promise is not marked as kept',
    'statement',
    'update "audit_reports" set state = \'DONE\'',
    1,
  ],
  ['seal', 'a report is stored, its notification is not acknowledged', 'write', 'PUB \\$JS\\.ACK\\.sealwright-work\\.report', 1],
  ['mail', 'a mail is claimed, the server has not heard of it', 'write', '^MAIL FROM:', 1],
  ['mail', 'the server has taken a mail, its row does not say so', 'statement', 'update "mails" set state = \'DONE\'', 2],
  ['mail', 'a mail is marked as sent, not committed', 'commit', 'update "mails" set state = \'DONE\'', 1],
  ['mail', 'a mail is recorded as sent, its ring is not settled', 'write', 'PUB \\$JS\\.ACK\\.sealwright-work\\.mail', 1],
  ['deliver', 'deliveries are leased, nothing is sent', 'write', '^POST /', 1],
  [
    'deliver',
    'deliveries are leased, their notification is not acknowledged',
    'write',
    'PUB \\$JS\\.ACK\\.sealwright-work\\.deliver\\.',
    1,
  ],
  ['deliver', 'a receiver has accepted an event, it is not recorded', 'statement', 'with counting as materialized', 2],
  ['deliver', 'a receiver has refused an event, it is written, not committed', 'commit', 'with postponed as', 1],
  ['controller', 'lapsed envelopes are marked as expired, not committed', 'commit', 'insert into events', 1],
  ['controller', 'the audit ledger is written, not committed', 'commit', 'insert into audit_ledger_heads', 1],
]
const MARKS: KillPoint[] = POINTS.map(([process, where, act, text, times]) => ({ process, where, act, text, times }))

let folder: string
let sink: SmtpSink
let mailbox: SmtpMailbox
let receiver: SubscribedReceiver
let service: SplitService
let dev: DevJson
let walked: Progress[]
let lapsing: string[]
let deaths: Death[]

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-marks-'))
  sink = await startSmtpSink()
  mailbox = await startSmtpMailbox(sink)
  receiver = await startSubscribedReceiver()
  const settings = {
    ...receiver.environment,
    SEALWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    SEALWRIGHT_MAIL_FROM: 'seal@example.test',
    SEALWRIGHT_ENVELOPE_MIN_EXPIRY: '1s',
    SEALWRIGHT_EXPIRY_SWEEP_INTERVAL: '1s',
  }
  service = await startSplitService(settings, [armKillPoints(folder, MARKS)])
  dev = { ...service.dev, mailboxUrl: mailbox.url }
  await receiver.subscribe(dev)
  const pdf = await readFile(pdfFixture('libreoffice.pdf'))
  const walking = walkWithRetries(dev, pdf, WALK)
  lapsing = await Promise.all(Array.from({ length: LAPSING }, () => sendLapsing(pdf)))
  walked = await walking
  deaths = await untilAllDied(pdf)
}, 480_000)
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await mailbox[Symbol.asyncDispose]()
  await sink.close()
  await rm(folder, { recursive: true })
})

/**
 * The clients may finish before every kill point was reached: emails and the ledger come later, and what a process had taken when it died is
 * done by others without a notification. So there are more envelopes, one after another.
 */
async function untilAllDied(pdf: Buffer): Promise<Death[]> {
  const expected = MARKS.reduce((sum, { times }) => sum + times, 0)
  for (const until = performance.now() + SETTLED_WITHIN_MS; ; await delay(100)) {
    const died = await listDeaths(folder)
    if (died.length === expected || performance.now() > until) return died
    walked.push(...(await walkWithRetries(dev, pdf, { ...WALK, envelopes: 1, concurrency: 1 })))
  }
}

/** Sends an envelope that will expire unsigned; restarts until a send is acknowledged. */
async function sendLapsing(pdf: Buffer): Promise<string> {
  for (;;) {
    const id = await trySendLapsing(pdf).catch(() => undefined) // an API that has just died
    if (id !== undefined) return id
    await delay(100)
  }
}

async function trySendLapsing(pdf: Buffer): Promise<string | undefined> {
  const client = await apiClient(dev.baseUrl, dev)
  const { body: document } = await client.upload('/api/v1/documents', pdf)
  const { body: envelope } = await client.post('/api/v1/envelopes', {
    title: 'Lapses',
    signers: [{ name: 'Cleo', email: 'cleo@example.test' }],
    documentIds: [document.id],
    expiresAt: new Date(Date.now() + LAPSES_IN_MS).toISOString(),
  })
  const { status } = await client.post(`/api/v1/envelopes/${envelope.id}/send`)
  return status === 200 ? envelope.id : undefined
}

test.each(MARKS)('$process died when $where', ({ process, where, times }) => {
  const here = deaths.filter(({ mark }) => mark.process === process && mark.where === where)
  expect(here).toHaveLength(times)
})

test('each died there and then, by SIGKILL', async () => {
  expect(new Set(deaths.map(({ pid }) => pid)).size).toBe(deaths.length)
  const killed = () => [...service.output().matchAll(/^(\w+) exited \(signal SIGKILL\)/gm)].map(([, name]) => name ?? '')
  const expected = timesOf(deaths.map(({ mark }) => mark.process))
  await expect.poll(() => timesOf(killed()), { timeout: 10_000 }).toEqual(expected)
})

test('only what lost all its attempts to deaths is stuck, until an operator retries it', async () => {
  // Each death ends an attempt of every job in the process, and the seal process dies more often than a job may lose attempts.
  await expect.poll(() => unfinished('waiting'), { timeout: SETTLED_WITHIN_MS }).toEqual([])
  for (const { kind, id, lastError } of await unfinished('stuck')) {
    expect(lastError).toMatch(/attempts ended without a result/)
    await runInProcess(service.environment, ['work', 'retry', '--kind', kind, '--id', id])
  }
})

test('every acknowledged step is there, once, and nothing else is left', () =>
  assertInvariants(service.databaseUrl, walked, SETTLED_WITHIN_MS))

type Unfinished = Record<'kind' | 'id' | 'state' | 'lastError', string>

async function unfinished(state: string): Promise<Unfinished[]> {
  const jobs: Unfinished[] = JSON.parse((await runInProcess(service.environment, ['work', 'status', '--json'])).stdout)
  return jobs.filter((job) => job.state === state)
}

test('one sealed file a document is stored, as it was recorded', () => assertCopiesStored(service.environment))

test('every signer got one token and word of the copy', async () => {
  expect(await assertMailed(dev, walked)).toBeGreaterThanOrEqual(walked.length * 4)
})

test('every event was delivered, with the same id and bytes each time; those whose acceptance was not recorded again', async () => {
  expect(await assertDelivered(service.databaseUrl, walked, receiver, SETTLED_WITHIN_MS)).toBeGreaterThan(0)
})

test('what was left to lapse has expired, and is reported once', async () => {
  const rows = await ask(
    service.databaseUrl,
    (sql) => sql`
    select e.status, (select count(*)::int from events v where v.type = 'envelope.expired' and v.envelope_id = e.id and v.released_at is not null) as reported
    from envelopes e
    where e.id = any(${lapsing}::uuid[])`,
  )
  expect(rows).toEqual(Array.from({ length: LAPSING }, () => ({ status: 'EXPIRED', reported: 1 })))
})
