// The mail role with a mail server that is down, defers or rejects: every deliverable email arrives, and the others are not retried
// forever.
import { readFile } from 'node:fs/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { type SmtpSink, smtpReply, startSmtpSink } from '../support/servers/smtp-sink.ts'
import { type SplitService, startSplitService } from '../support/servers/split-service.ts'

const ENVELOPES = 10
/** The mail worker's metrics port: it is the third process of the split run. */
const MAIL_PORT_OFFSET = 2
const ARRIVED = { timeout: 60_000, interval: 200 }

let sink: SmtpSink
let service: SplitService
let client: ApiClient
let sql: postgres.Sql
let pdf: Buffer
let metricsPort: number

const greylisted = new Set<string>()
let refusesSender = false

/** Accepts the second attempt for addresses that are named so, and none for one that is gone. */
const options = {
  onMailFrom(_address: unknown, _session: unknown, done: (error?: Error) => void) {
    done(refusesSender ? smtpReply(553, 'Not your address') : undefined)
  },
  onRcptTo({ address }: { address: string }, _session: unknown, done: (error?: Error) => void) {
    if (address.startsWith('gone')) return done(smtpReply(550, 'No such user'))
    if (address.startsWith('grey') && !greylisted.has(address)) {
      greylisted.add(address)
      return done(smtpReply(451, 'Greylisted, come back later'))
    }
    return done()
  },
}

beforeAll(async () => {
  sink = await startSmtpSink(options)
  metricsPort = await freePort()
  service = await startSplitService({
    SEALWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    SEALWRIGHT_MAIL_FROM: 'seal@example.test',
    SEALWRIGHT_METRICS_PORT: String(metricsPort),
  })
  client = await apiClient(service.dev.baseUrl, service.dev)
  sql = postgres(service.databaseUrl, { max: 1 })
  pdf = await readFile(pdfFixture('libreoffice.pdf'))
})
afterAll(async () => {
  await sql.end({ timeout: 5 })
  await service[Symbol.asyncDispose]()
  await sink.close()
})

/** Sends envelopes to one signer each and returns their addresses. */
async function send(name: string): Promise<string[]> {
  const addresses = Array.from({ length: ENVELOPES }, (_, n) => `${name}-${n}@example.test`)
  for (const email of addresses) {
    const { body: document } = await client.upload('/api/v1/documents', pdf)
    const draft = { title: 'Lease', signers: [{ name, email }], documentIds: [document.id] }
    const { body: envelope } = await client.post('/api/v1/envelopes', draft)
    const { status } = await client.post(`/api/v1/envelopes/${envelope.id}/send`)
    expect(status).toBe(200)
  }
  return addresses
}

/** The readiness check of the mail server, in the mail worker. */
async function smtpCheck(): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${metricsPort + MAIL_PORT_OFFSET}/readyz`)
  const { checks } = (await response.json()) as { checks: Record<string, unknown> }
  return checks['smtp']
}

/** Addresses that received something, once per email. */
const arrivedAt = () => sink.received.flatMap(({ recipients }) => recipients)

test('emails arrive once without faults', async () => {
  const addresses = await send('plain')
  await expect.poll(() => arrivedAt().toSorted((a, b) => a.localeCompare(b)), ARRIVED).toEqual(addresses)
})

test('a server that was down gets every email when it is back', async () => {
  const { port } = sink
  await sink.close()
  const addresses = await send('away')
  await expect.poll(async () => (await sql`select 1 from mails where last_error is not null`).length, ARRIVED).toBeGreaterThan(0)
  sink = await startSmtpSink(options, port)
  await expect.poll(() => new Set(arrivedAt()), ARRIVED).toEqual(new Set(addresses))
})

test('a server that rejects our sender is reported until it accepts it, and then gets every email', async () => {
  const denied = async () => {
    const [row] = await sql`select coalesce(sum(attempts), 0)::int as count from mails where last_error like 'MAIL FROM:%553%'`
    return row?.['count'] ?? 0
  }
  refusesSender = true
  const addresses = await send('sender')
  await expect.poll(smtpCheck, ARRIVED).toMatchObject({ ok: false, error: expect.stringMatching(/MAIL FROM: .*553/) })
  // The SMTP login works all the time.
  const seen: unknown[] = []
  const look = async () => {
    seen.push(await smtpCheck())
    return denied()
  }
  await expect.poll(look, ARRIVED).toBeGreaterThanOrEqual(4)
  expect(seen.filter((check) => JSON.stringify(check) === '{"ok":true}')).toEqual([])
  refusesSender = false
  await expect
    .poll(() => new Set(arrivedAt().filter((address) => address.startsWith('sender'))), ARRIVED)
    .toEqual(new Set(addresses))
  await expect.poll(smtpCheck, ARRIVED).toEqual({ ok: true })
})

test('a deferred email is retried and arrives; a rejected one is dead-lettered at once', async () => {
  const addresses = await send('grey')
  await send('gone')
  await expect
    .poll(() => new Set(arrivedAt().filter((address) => address.startsWith('grey'))), ARRIVED)
    .toEqual(new Set(addresses))
  const deadLetters = () =>
    sql`select attempts, secret_box is null as wiped from mails where state = 'DEAD' and last_error like '%550%'`
  await expect.poll(async () => (await deadLetters()).length, ARRIVED).toBe(ENVELOPES)
  expect(new Set((await deadLetters()).map(({ attempts }) => attempts))).toEqual(new Set([1]))
})
