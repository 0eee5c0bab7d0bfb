// One signature is one trace: from its HTTP request, through the relay and the notifier, to the stored seal, the emails and the delivered events.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newProgress, type Progress, walk } from '../support/clients/crash-walk.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { newTlsCertificates } from '../support/builders/tls-certificates.ts'
import { panelClient } from '../support/clients/panel-client.ts'
import { type SmtpMailbox, startSmtpMailbox } from '../support/clients/smtp-mailbox.ts'
import { type SmtpSink, startSmtpSink } from '../support/servers/smtp-sink.ts'
import { type SplitService, startSplitService } from '../support/servers/split-service.ts'
import { startTraceCollector, type TraceCollector } from '../support/servers/trace-collector.ts'
import { answerOf, startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts'

let collector: TraceCollector
let service: SplitService
let sink: SmtpSink
let mailbox: SmtpMailbox
let progress: Progress
let receiver: WebhookReceiver
let folder: string

beforeAll(async () => {
  collector = await startTraceCollector()
  sink = await startSmtpSink()
  mailbox = await startSmtpMailbox(sink)
  const mail = { SEALWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, SEALWRIGHT_MAIL_FROM: 'seal@example.test' }
  const { ca, valid } = await newTlsCertificates(['127.0.0.1'])
  receiver = await startWebhookReceiver(valid, (socket) => void socket.write(answerOf(204)))
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-trace-'))
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, ca)
  const webhooks = { SEALWRIGHT_WEBHOOK_CA_FILE: caFile, SEALWRIGHT_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1/32' }
  service = await startSplitService({ ...collector.environment, ...mail, ...webhooks })
  const admin = panelClient(service.dev.baseUrl)
  await admin.signIn(service.dev.adminEmail, service.dev.adminPassword)
  const url = `https://127.0.0.1:${receiver.port}/hooks/private-path`
  const { status } = await admin.post('/webhooks', { url, eventTypes: ['signer.signed', 'envelope.completed'] })
  if (status !== 201) throw new Error(`The webhook was not created: ${status}`)
  progress = newProgress(1)
  // Names that no id or text of ours contains by chance.
  for (const [place, name] of ['Adaline Quillfeather', 'Benjamin Marchbanks'].entries()) progress.signers[place]!.name = name
  await walk({ ...service.dev, mailboxUrl: mailbox.url }, await readFile(pdfFixture('libreoffice.pdf')), progress)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
  await mailbox[Symbol.asyncDispose]()
  await sink.close()
  await collector[Symbol.asyncDispose]()
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
  const { default: postgres } = await import('postgres')
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
