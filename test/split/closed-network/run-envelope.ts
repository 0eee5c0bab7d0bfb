// In a closed network: the split run with every server that the settings may name, and one envelope from upload to sealed copy, report, emails and events.
// Prints how many connections had no way to their address.
import { ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { pdfFixture } from '../../support/builders/pdf-fixtures.ts'
import { newProgress, walk } from '../../support/clients/crash-walk.ts'
import { startSmtpMailbox } from '../../support/clients/smtp-mailbox.ts'
import { startSubscribedReceiver } from '../../support/faults/subscribed-receiver.ts'
import { assertDelivered } from '../../support/invariants/delivered.ts'
import { assertInvariants } from '../../support/invariants/invariants.ts'
import { assertCopiesStored, assertMailed } from '../../support/invariants/outside-the-database.ts'
import { countUnreachable } from '../../support/servers/closed-network.ts'
import { startSmtpSink } from '../../support/servers/smtp-sink.ts'
import { startSplitService } from '../../support/servers/split-service.ts'
import { startTraceCollector } from '../../support/servers/trace-collector.ts'

const WITHIN_MS = 60_000

await using stack = new AsyncDisposableStack()
const sink = await startSmtpSink()
stack.defer(() => sink.close())
const mailbox = stack.use(await startSmtpMailbox(sink))
const collector = stack.use(await startTraceCollector())
const receiver = stack.use(await startSubscribedReceiver())
const service = stack.use(
  await startSplitService({
    SEALWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    SEALWRIGHT_MAIL_FROM: 'seal@example.test',
    ...collector.environment,
    ...receiver.environment,
  }),
)
const dev = { ...service.dev, mailboxUrl: mailbox.url }
await receiver.subscribe(dev)
const progress = newProgress(1)
await walk(dev, await readFile(pdfFixture('libreoffice.pdf')), progress)
await assertInvariants(service.databaseUrl, [progress], WITHIN_MS)
await assertCopiesStored(service.environment)
await assertMailed(dev, [progress])
await assertDelivered(service.databaseUrl, [progress], receiver, WITHIN_MS)
for (let tries = 0; tries < 100 && collector.spans.length === 0; tries++) await delay(100)
ok(collector.spans.length > 0, 'No trace arrived.')
await stack.disposeAsync()
console.log(await countUnreachable())
