// The notifier between processes, on JetStream. While it is down consumers receive nothing and poll Postgres instead.
import { setTimeout as delay } from 'node:timers/promises'
import { type Consumer, jetstream, type JetStreamClient, jetstreamManager, type JsMsg } from '@nats-io/jetstream'
import { headers, type NatsConnection } from 'nats'
import { publishInOrder } from '#core/messaging/publish-in-order.ts'
import type { Notifier, NotifierMessage, Notification, Verdict } from '#core/messaging/notifier.ts'
import type { Logger } from '#core/platform/log.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { openMonitored } from '#core/platform/process/dependency-monitor.ts'
import { connectNats, type NatsAddress } from './connect.ts'
import { CONSUMERS, ensureConsumers, WORK_STREAM } from './consumers.ts'
import { toNatsError } from './nats-error.ts'
import { toStreamError } from './stream-error.ts'
import { ensureStream, type StreamChoices } from './streams.ts'

export interface JetStreamNotifierOptions extends NatsAddress, StreamChoices {
  /** Shown in the server's list of connections. */
  name: string
  log: Logger
}

/** W3C Trace Context. */
const TRACE_HEADER = 'traceparent'
const PUBLISH_TIMEOUT_MS = 3_000
/** How much longer than requested a pull may take before it is abandoned. */
const PULL_SLACK_MS = 1_000
/** The server refuses pull requests shorter than this. */
const SHORTEST_PULL_MS = 1_000

interface Ready {
  connection: NatsConnection
  client: JetStreamClient
  consumers: Map<string, Consumer>
}

export interface JetStreamNotifier extends Notifier, AsyncDisposable {
  /** The last known error; undefined while it works. */
  lastError: () => string | undefined
}

/** Opens the notifier and reconnects in the background while the server is unreachable. Throws StartupError when the first attempt is rejected
 *  (credentials, no JetStream, a foreign stream of the same name). */
export async function openJetStreamNotifier(options: JetStreamNotifierOptions): Promise<JetStreamNotifier> {
  let ready: Ready | undefined
  const setUp = async (): Promise<void> => {
    ready = await prepare(options, ready?.connection)
    options.log.info({ server: ready.connection.getServer() }, 'nats.ready')
  }
  const monitor = await openMonitored(setUp, newThrottledLog(options.log, 'nats.unavailable'))
  const recover = (error: unknown): void => monitor.failed(toNatsError(error).message)
  const client = (): Ready => {
    if (!ready) throw new StartupError('NATS_UNREACHABLE', 'SEALWRIGHT_NATS_URL: NATS is not connected.')
    return ready
  }
  return {
    lastError: monitor.lastError,
    publish: async (messages) => {
      try {
        const { client: jets } = client()
        await publishInOrder(messages, (message) => publishOne(jets, message))
      } catch (error) {
        recover(error)
        throw error
      }
    },
    next: async (subject, waitMs, signal) => {
      const until = performance.now() + waitMs
      const consumer = ready?.consumers.get(subject)
      try {
        if (consumer) return await pull(consumer, waitMs, signal)
      } catch (error) {
        recover(error)
      }
      await delay(Math.max(0, until - performance.now()), undefined, { signal }).catch(() => {})
      return undefined
    },
    async [Symbol.asyncDispose]() {
      await monitor[Symbol.asyncDispose]()
      await ready?.connection.close()
    },
  }
}

async function prepare(options: JetStreamNotifierOptions, known: NatsConnection | undefined): Promise<Ready> {
  const connection = known && !known.isClosed() ? known : await connectNats(options, options.name)
  try {
    const manager = await jetstreamManager(connection)
    await ensureStream(manager, options)
    await ensureConsumers(manager)
    const client = jetstream(connection, { timeout: PUBLISH_TIMEOUT_MS })
    const consumers = new Map<string, Consumer>()
    for (const [subject, name] of Object.entries(CONSUMERS)) consumers.set(subject, await client.consumers.get(WORK_STREAM, name))
    return { connection, client, consumers }
  } catch (error) {
    if (connection !== known) await connection.close()
    throw toNatsError(error)
  }
}

async function publishOne(client: JetStreamClient, { subject, id, body, traceParent }: NotifierMessage): Promise<void> {
  const header = headers()
  if (traceParent !== null) header.set(TRACE_HEADER, traceParent)
  await client.publish(subject, JSON.stringify(body), { msgID: id, headers: header }).catch((error: unknown) => {
    const advice = 'Its changed settings are reset now.'
    throw toStreamError('NATS_STREAM', `The stream ${WORK_STREAM} does not accept notifications`, error, advice)
  })
}

async function pull(consumer: Consumer, waitMs: number, signal: AbortSignal): Promise<Notification | undefined> {
  if (signal.aborted) return undefined
  const messages = await consumer.fetch({ max_messages: 1, expires: Math.max(waitMs, SHORTEST_PULL_MS) })
  const end = (): void => messages.stop()
  const late = setTimeout(end, waitMs + PULL_SLACK_MS)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    for await (const message of messages) return toNotification(message)
    return undefined
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', end)
  }
}

function toNotification(message: JsMsg): Notification {
  return {
    body: readBody(message),
    traceParent: message.headers?.get(TRACE_HEADER) || null,
    extend: () => message.working(),
    settle: (verdict) => settle(message, verdict),
  }
}

/** Undefined for a body that is not JSON: the consumer finds no ids in it. */
function readBody(message: JsMsg): unknown {
  try {
    return message.json()
  } catch {
    return undefined
  }
}

function settle(message: JsMsg, verdict: Verdict): void {
  if (verdict.kind === 'ack') message.ack()
  else if (verdict.kind === 'nak') message.nak(verdict.seconds * 1000)
  else message.term()
}
