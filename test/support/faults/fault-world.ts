// A split run in which clients process envelopes with two signers each, during a fault; afterwards the invariants must hold.
import { readFile } from 'node:fs/promises'
import postgres from 'postgres'
import { expect, vi } from 'vitest'
import { assertCopiesStored, assertMailed } from '../invariants/outside-the-database.ts'
import { assertDelivered } from '../invariants/delivered.ts'
import { assertInvariants } from '../invariants/invariants.ts'
import { pdfFixture } from '../builders/pdf-fixtures.ts'
import type { DevJson } from '../servers/running-service.ts'
import { startSmtpMailbox } from '../clients/smtp-mailbox.ts'
import { startSmtpSink } from '../servers/smtp-sink.ts'
import { type SplitService, startSplitService } from '../servers/split-service.ts'
import { startSubscribedReceiver } from './subscribed-receiver.ts'
import { startRetryingClient, type RetryingClient } from '../clients/retrying-client.ts'

const ENVELOPES = 8
const WALKED_WITHIN_MS = 150_000
const SETTLED_WITHIN_MS = 120_000
/** Signatures before the fault: by then envelopes are in every stage. */
const INTO_THE_WALK = 4
/** Envelopes that start after the fault. */
const AFTER_THE_FAULT = 2

export const PROCESSES = ['api', 'relay', 'seal', 'mail', 'deliver', 'controller'] as const

export interface FaultWorld extends AsyncDisposable {
  service: SplitService
  dev: DevJson
  /** As the owner. */
  sql: postgres.Sql
  /** Runs the clients during `fault` and asserts the invariants. Envelopes start over `overMs`, the last ones after the fault. */
  survive: (overMs: number, fault: (walk: RetryingClient) => Promise<void>, envelopes?: number) => Promise<RetryingClient>
  /** Asserts that no process logged a token, a code, a secret or a document. */
  assertNothingLeaked: () => Promise<void>
}

/** Starts the split run with a mail server that stores its emails, and a webhook for all events. */
export async function startFaultWorld(
  environment: Record<string, string> = {},
  nodeArguments: readonly string[] = [],
): Promise<FaultWorld> {
  await using stack = new AsyncDisposableStack()
  const pdf = await readFile(pdfFixture('libreoffice.pdf'))
  const sink = await startSmtpSink()
  stack.defer(() => sink.close())
  const mailbox = stack.use(await startSmtpMailbox(sink))
  const mail = { SEALWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, SEALWRIGHT_MAIL_FROM: 'seal@example.test' }
  const receiver = stack.use(await startSubscribedReceiver())
  const service = stack.use(await startSplitService({ ...mail, ...receiver.environment, ...environment }, nodeArguments))
  const sql = postgres(service.databaseUrl, { max: 2, onnotice: () => {} })
  stack.defer(() => sql.end({ timeout: 5 }))
  const dev = { ...service.dev, mailboxUrl: mailbox.url }
  await receiver.subscribe(dev)
  const ending = stack.move()
  return {
    service,
    dev,
    sql,
    async survive(overMs, fault, envelopes = ENVELOPES) {
      const over = Promise.withResolvers<void>()
      const last = { envelopes: AFTER_THE_FAULT, after: over.promise }
      const options = { envelopes, concurrency: envelopes, overMs, last, withinMs: WALKED_WITHIN_MS + overMs }
      const walk = startRetryingClient(dev, pdf, options)
      await Promise.all([walk.finished, strike(walk, fault).finally(over.resolve)])
      await assertInvariants(service.databaseUrl, walk.all, SETTLED_WITHIN_MS)
      await assertCopiesStored(service.environment)
      await assertMailed(dev, walk.all)
      await assertDelivered(service.databaseUrl, walk.all, receiver, SETTLED_WITHIN_MS)
      return walk
    },
    async assertNothingLeaked() {
      const logs = await Promise.all(PROCESSES.map((name) => service.log(name)))
      expect(logs.join('\n')).not.toMatch(/\/sign\/[A-Za-z0-9_-]{43}|X-Amz-Signature=|swsec_|whsec_/)
    },
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  }
}

async function strike(walk: RetryingClient, fault: (walk: RetryingClient) => Promise<void>): Promise<void> {
  const begun = () => expect(signaturesOf(walk)).toBeGreaterThanOrEqual(INTO_THE_WALK)
  await vi.waitFor(begun, { timeout: WALKED_WITHIN_MS })
  await fault(walk)
}

/** The acknowledged ones. */
export function signaturesOf({ all }: RetryingClient): number {
  return all.reduce((sum, { signed }) => sum + signed.length, 0)
}
