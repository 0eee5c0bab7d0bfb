// One split run for two topics, because its start takes ten seconds of processor time: first one signature is one trace, from its HTTP request, through the
// relay and the notifier, to the stored seal, the emails and the delivered events; then the mail role with a mail server that is down, defers or rejects.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../../hack/servers/free-port.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { newTlsCertificates } from '../support/builders/tls-certificates.ts'
import { type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { newProgress, type Progress, walk } from '../support/clients/crash-walk.ts'
import { panelClient } from '../support/clients/panel-client.ts'
import { type SmtpMailbox, startSmtpMailbox } from '../support/clients/smtp-mailbox.ts'
import { type SmtpSink, smtpReply, startSmtpSink } from '../support/servers/smtp-sink.ts'
import { type SplitService, startSplitService } from '../support/servers/split-service.ts'
import { startTraceCollector, type TraceCollector } from '../support/servers/trace-collector.ts'
import { answerOf, startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts'

const ENVELOPES = 5
/** Of the split run, which count their metrics ports up from the first. */
const PROCESSES = 6
/** The mail worker's metrics port: it is the third process of the split run. */
const MAIL_PORT_OFFSET = 2
const ARRIVED = { timeout: 60_000, interval: 200 }

let collector: TraceCollector
let receiver: WebhookReceiver
let sink: SmtpSink
let mailbox: SmtpMailbox
let service: SplitService
let folder: string
let metricsPort: number
let pdf: Buffer

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
  collector = await startTraceCollector()
  sink = await startSmtpSink(options)
  mailbox = await startSmtpMailbox(sink)
  metricsPort = await freePorts(PROCESSES)
  const { ca, valid } = await newTlsCertificates(['127.0.0.1'])
  receiver = await startWebhookReceiver(valid, (socket) => void socket.write(answerOf(204)))
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-trace-'))
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, ca)
  service = await startSplitService({
    ...collector.environment,
    SEALWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    SEALWRIGHT_MAIL_FROM: 'seal@example.test',
    SEALWRIGHT_METRICS_PORT: String(metricsPort),
    SEALWRIGHT_WEBHOOK_CA_FILE: caFile,
    SEALWRIGHT_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1/32',
  })
  pdf = await readFile(pdfFixture('libreoffice.pdf'))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
  await mailbox[Symbol.asyncDispose]()
  await sink.close()
  await collector[Symbol.asyncDispose]()
})

describe('one signature', () => {
  beforeAll(async () => {
    const admin = panelClient(service.dev.baseUrl)
    await admin.signIn(service.dev.adminEmail, service.dev.adminPassword)
    const url = `https://127.0.0.1:${receiver.port}/hooks/private-path`
    const { status } = await admin.post('/webhooks', { url, eventTypes: ['signer.signed', 'envelope.completed'] })
    if (status !== 201) throw new Error(`The webhook was not created: ${status}`)
    const progress: Progress = newProgress(1)
    // Names that no id or text of ours contains by chance.
    for (const [place, name] of ['Adaline Quillfeather', 'Benjamin Marchbanks'].entries()) progress.signers[place]!.name = name
    await walk({ ...service.dev, mailboxUrl: mailbox.url }, pdf, progress)
  })

  // requirements: running/settings/traces
  test('the last signature, its seal, the following emails and the deliveries are one trace over three processes', async () => {
    const traceOfSeal = () => {
      const seal = collector.spans.find(({ name }) => name === 'seal envelope')
      return collector.spans.filter(({ traceId }) => traceId === seal?.traceId)
    }
    const names = () => traceOfSeal().map(({ name }) => name)
    await expect
      .poll(names, { timeout: 30_000 })
      .toEqual(
        expect.arrayContaining([
          'POST /api/v1/sign/:token/sign',
          'take seal',
          'seal document',
          'store sealed copy',
          'send mail',
          'deliver event',
        ]),
      )
    const services = new Set(traceOfSeal().map(({ service: name }) => name))
    expect(services).toEqual(new Set(['sealwright-api', 'sealwright-workers']))
    const ids = new Set(traceOfSeal().map(({ spanId }) => spanId))
    const roots = traceOfSeal().filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId))
    expect(roots.map(({ name }) => name)).toEqual(['POST /api/v1/sign/:token/sign'])
    const deliveredTypes = () => {
      const deliveries = traceOfSeal().filter(({ name }) => name === 'deliver event')
      return deliveries.flatMap(
        ({ attributes }) => attributes.find(({ key }) => key === 'sealwright.event_type')?.value.stringValue,
      )
    }
    const types = new Set(['envelope.completed', 'signer.signed'])
    await expect.poll(() => new Set(deliveredTypes()), { timeout: 30_000 }).toEqual(types)
  })

  test("no span contains a token, an address, a name, a title or a document's text", async () => {
    const sql = postgres(service.databaseUrl, { max: 1 })
    const signers = await sql<{ email: string; name: string }[]>`select email, name from signers`
    const words = ['private-path', 'plot 14', 'landlord', 'tenant', 'hedge', '{{signer']
    await sql.end()
    const text = JSON.stringify(collector.spans)
    expect(collector.spans.length).toBeGreaterThan(20)
    expect(text).not.toMatch(/[A-Za-z0-9_-]{43}/)
    expect(signers.map(({ name }) => name).toSorted()).toEqual(['Adaline Quillfeather', 'Benjamin Marchbanks'])
    for (const { email, name } of signers) for (const part of [email, ...name.split(' ')]) expect(text).not.toContain(part)
    for (const word of ['Crash walk', ...words]) expect(text).not.toContain(word)
  })

  test('the trace id of a response is that of its trace', async () => {
    const response = await fetch(`${service.dev.baseUrl}/api/v1/sign/${'x'.repeat(43)}`)
    const { traceId } = (await response.json()) as { traceId: string }
    expect(response.headers.get('x-request-id')).toBe(traceId)
    await expect.poll(() => collector.spans.some((span) => span.traceId === traceId), { timeout: 10_000 }).toBe(true)
  })
})

describe('the mail role', () => {
  let client: ApiClient
  let sql: postgres.Sql
  beforeAll(async () => {
    client = await apiClient(service.dev.baseUrl, service.dev)
    sql = postgres(service.databaseUrl, { max: 1 })
  })
  afterAll(() => sql.end({ timeout: 5 }))

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

  /** Addresses with this name that received something, once per email. */
  const arrivedAt = (name: string) =>
    sink.received.flatMap(({ recipients }) => recipients).filter((address) => address.startsWith(name))

  test('emails arrive once without faults', async () => {
    const addresses = await send('plain')
    await expect.poll(() => arrivedAt('plain').toSorted((a, b) => a.localeCompare(b)), ARRIVED).toEqual(addresses)
  })

  test('a server that was down gets every email when it is back', async () => {
    const { port } = sink
    await sink.close()
    const addresses = await send('away')
    await expect
      .poll(async () => (await sql`select 1 from mails where last_error is not null`).length, ARRIVED)
      .toBeGreaterThan(0)
    sink = await startSmtpSink(options, port)
    await expect.poll(() => new Set(arrivedAt('away')), ARRIVED).toEqual(new Set(addresses))
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
    await expect.poll(() => new Set(arrivedAt('sender')), ARRIVED).toEqual(new Set(addresses))
    await expect.poll(smtpCheck, ARRIVED).toEqual({ ok: true })
  })

  test('a deferred email is retried and arrives; a rejected one is dead-lettered at once', async () => {
    const addresses = await send('grey')
    await send('gone')
    await expect.poll(() => new Set(arrivedAt('grey')), ARRIVED).toEqual(new Set(addresses))
    const deadLetters = () =>
      sql`select attempts, secret_box is null as wiped from mails where state = 'DEAD' and last_error like '%550%'`
    await expect.poll(async () => (await deadLetters()).length, ARRIVED).toBe(ENVELOPES)
    expect(new Set((await deadLetters()).map(({ attempts }) => attempts))).toEqual(new Set([1]))
  })
})
