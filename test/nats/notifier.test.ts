// One suite for both notifiers: within one process, and between several.
import { jetstreamManager } from '@nats-io/jetstream'
import type { Notifier, NotifierMessage, Notification } from '#core/messaging/notifier.ts'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import { openLog } from '#core/platform/log.ts'
import { openJetStreamNotifier } from '#core/messaging/jetstream/jetstream-notifier.ts'
import type { Subject } from '#core/messaging/subjects.ts'
import { connect } from 'nats'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'

const SEAL: Subject = 'sealwright.seal.requested'
const MAIL: Subject = 'sealwright.mail.requested'
/** Long enough to deliver any waiting notification, on a busy machine. */
const PATIENTLY_MS = 20_000

const NOTIFIERS = [
  { name: 'one process', open: async () => ({ notifier: inProcessNotifier(), [Symbol.asyncDispose]: async () => {} }) },
  { name: 'several processes', open: openEmptyNatsNotifier },
]

async function openEmptyNatsNotifier(): Promise<{ notifier: Notifier } & AsyncDisposable> {
  const connection = await connect({ servers: inject('natsUrl') })
  const manager = await jetstreamManager(connection)
  for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name)
  await connection.close()
  const choices = { replicas: 1, duplicateWindowSeconds: 120, maxMessages: 100_000 }
  const notifier = await openJetStreamNotifier({
    url: inject('natsUrl'),
    name: 'test',
    log: openLog('silent', '/dev/null'),
    ...choices,
  })
  return { notifier, [Symbol.asyncDispose]: () => notifier[Symbol.asyncDispose]() }
}

let number = 0
const message = (subject: NotifierMessage['subject'], body: NotifierMessage['body'] = {}): NotifierMessage => ({
  subject,
  id: String(++number),
  body,
  partition: 0,
  traceParent: null,
})

// requirements: running/settings/NATS
describe.each(NOTIFIERS)('the notifier of $name', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>
  let notifier: Notifier
  let stop: AbortController

  beforeEach(async () => {
    opened = await open()
    notifier = opened.notifier
    stop = new AbortController()
  })
  afterEach(async () => {
    stop.abort()
    await opened[Symbol.asyncDispose]()
  })

  const next = (subject: Subject, waitMs = PATIENTLY_MS) => notifier.next(subject, waitMs, stop.signal)
  async function take(subject: Subject): Promise<Notification> {
    const notification = await next(subject)
    if (!notification) throw new Error('No notification arrived.')
    return notification
  }

  test('keeps a notification with its body for a later consumer', async () => {
    const body = { snake_key: 'ä', nested: { camelKey: [1, null] } }
    await notifier.publish([message(SEAL, body)])
    const notification = await take(SEAL)
    expect(notification.body).toEqual(body)
    notification.settle({ kind: 'ack' })
  })

  test('delivers to a waiting consumer', async () => {
    const waiting = take(MAIL)
    await notifier.publish([message(MAIL, { n: 1 })])
    expect((await waiting).body).toEqual({ n: 1 })
  })

  test('delivers in the order of publishing, each subject on its own', async () => {
    await notifier.publish([message(SEAL, { n: 1 }), message(MAIL, { n: 2 }), message(SEAL, { n: 3 }), message(SEAL, { n: 4 })])
    const received: unknown[] = []
    for (const subject of [SEAL, SEAL, SEAL, MAIL]) {
      const notification = await take(subject)
      received.push(notification.body)
      notification.settle({ kind: 'ack' })
    }
    expect(received).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }, { n: 2 }])
  })

  test('delivers each notification to one waiting consumer', async () => {
    const waiting = Array.from({ length: 5 }, () => take(SEAL))
    await notifier.publish(waiting.map((_, n) => message(SEAL, { n })))
    const bodies = (await Promise.all(waiting)).map(({ body }) => JSON.stringify(body))
    expect(bodies.toSorted()).toEqual([0, 1, 2, 3, 4].map((n) => JSON.stringify({ n })))
  })

  test('returns undefined when no notification arrives in time', async () => {
    expect(await next(SEAL, 1_000)).toBeUndefined()
  })

  test('ends an aborted wait at once and loses no notification', async () => {
    const waiting = next(SEAL)
    stop.abort()
    expect(await waiting).toBeUndefined()
    stop = new AbortController()
    await notifier.publish([message(SEAL, { n: 1 })])
    expect((await take(SEAL)).body).toEqual({ n: 1 })
  })

  test('does not redeliver after ack or term', async () => {
    await notifier.publish([message(SEAL, { n: 1 }), message(SEAL, { n: 2 })])
    for (const kind of ['ack', 'term'] as const) (await take(SEAL)).settle({ kind })
    expect(await next(SEAL, 1_000)).toBeUndefined()
  })

  test('redelivers after nak', async () => {
    await notifier.publish([message(SEAL, { n: 1 })])
    const first = await take(SEAL)
    first.settle({ kind: 'nak', seconds: 0.05 })
    expect((await take(SEAL)).body).toEqual(first.body)
  })

  test('accepts a thousand notifications at once', async () => {
    await notifier.publish(Array.from({ length: 1_000 }, (_, n) => message(SEAL, { n })))
    for (let n = 0; n < 1_000; n++) {
      const notification = await take(SEAL)
      expect(notification.body).toEqual({ n })
      notification.settle({ kind: 'ack' })
    }
  })
})
