// The mail role against a mail server that is away, puts off or refuses: every mail that can arrive does, and the others are not tried for ever.
import { readFile } from 'node:fs/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, apiClient } from '../support/api-client.ts'
import { pdfFixture } from '../support/pdf-fixtures.ts'
import { type SmtpSink, smtpReply, startSmtpSink } from '../support/smtp-sink.ts'
import { type SplitService, startSplitService } from '../support/split-service.ts'

const ENVELOPES = 10
const ARRIVED = { timeout: 60_000, interval: 200 }

let sink: SmtpSink
let service: SplitService
let client: ApiClient
let sql: postgres.Sql
let pdf: Buffer

const greylisted = new Set<string>()

/** Takes the second try for an address whose name says so, and none for one that is gone. */
const options = {
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
  service = await startSplitService({
    SEALWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    SEALWRIGHT_MAIL_FROM: 'seal@example.test',
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

/** Sends envelopes to one signer each and answers their addresses. */
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

/** Addresses to which something arrived, as often as it did. */
const arrivedAt = () => sink.received.flatMap(({ recipients }) => recipients)

test('mails arrive once while nothing fails', async () => {
  const addresses = await send('plain')
  await expect.poll(() => arrivedAt().toSorted((a, b) => a.localeCompare(b)), ARRIVED).toEqual(addresses)
})

test('a server that is away gets every mail when it is back', async () => {
  const { port } = sink
  await sink.close()
  const addresses = await send('away')
  await expect.poll(async () => (await sql`select 1 from mails where last_error is not null`).length, ARRIVED).toBeGreaterThan(0)
  sink = await startSmtpSink(options, port)
  await expect.poll(() => new Set(arrivedAt()), ARRIVED).toEqual(new Set(addresses))
})

test('a mail that is put off is tried again and arrives; one that is refused is set aside at once', async () => {
  const addresses = await send('grey')
  await send('gone')
  await expect
    .poll(() => new Set(arrivedAt().filter((address) => address.startsWith('grey'))), ARRIVED)
    .toEqual(new Set(addresses))
  const parked = () =>
    sql`select attempts, secret_box is null as wiped from mails where state = 'PARKED' and last_error like '%550%'`
  await expect.poll(async () => (await parked()).length, ARRIVED).toBe(ENVELOPES)
  expect(new Set((await parked()).map(({ attempts }) => attempts))).toEqual(new Set([1]))
})
