// Notifiers on separate NATS servers, which tests may break; all end with the test.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { NotifierMessage } from '#core/messaging/notifier.ts'
import { openLog } from '#core/platform/log.ts'
import {
  type JetStreamNotifier,
  type JetStreamNotifierOptions,
  openJetStreamNotifier,
} from '#core/messaging/jetstream/jetstream-notifier.ts'
import { connect } from 'nats'
import { expect, onTestFinished } from 'vitest'
import { type NatsServer, type NatsServerOptions, startNatsServer } from '../../../hack/servers/nats-server.ts'

const SEAL = 'sealwright.seal.requested'
const CHOICES = { replicas: 1, duplicateWindowSeconds: 120, maxMessages: 100_000 }

/** A folder that is deleted with the test. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sealwright-nats-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A separate server, with an empty folder by default. */
export async function aServer(options: Partial<NatsServerOptions> = {}): Promise<NatsServer & { dataDir: string }> {
  const dataDir = options.dataDir ?? (await aFolder())
  const server = await startNatsServer({ dataDir, ...options })
  onTestFinished(() => server.stop())
  return { ...server, dataDir }
}

/** A notifier on the server, like that of a newly started process. */
export async function aNotifier(url: string, options: Partial<JetStreamNotifierOptions> = {}): Promise<JetStreamNotifier> {
  const notifier = await openJetStreamNotifier({ url, name: 'test', log: openLog('silent', '/dev/null'), ...CHOICES, ...options })
  onTestFinished(() => notifier[Symbol.asyncDispose]())
  return notifier
}

/** Runs `work` as another user of the server. */
export async function managing<T>(url: string, work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: url })
  try {
    return await work(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}

export const message = (id: string): NotifierMessage => ({ subject: SEAL, id, body: { id }, partition: 0, traceParent: null })

/** The next notification for a seal. */
export const next = (notifier: JetStreamNotifier, waitMs = 2_000) => notifier.next(SEAL, waitMs, new AbortController().signal)

/** Publishes until the notifier accepts it. */
export const published = (notifier: JetStreamNotifier, id: string) =>
  expect
    .poll(
      () =>
        notifier.publish([message(id)]).then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true)

/** Expects a notification, sooner or later. */
export const expectNotification = (notifier: JetStreamNotifier) =>
  expect.poll(async () => (await next(notifier))?.body, { timeout: 30_000 })
