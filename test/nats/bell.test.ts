// One suite for both bells: what holds for the notifier of one process holds for the notifier of several.
import { jetstreamManager } from '@nats-io/jetstream'
import type { Notifier, NotifierMessage, Notification } from '#core/messaging/notifier.ts'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import { openLog } from '#core/platform/log.ts'
import { openJetStreamNotifier } from '#core/messaging/jetstream/jetstream-notifier.ts'
import type { WorkSubject } from '#core/messaging/subjects.ts'
import { connect } from 'nats'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'

const SEAL: WorkSubject = 'sealwright.seal.requested'
const MAIL: WorkSubject = 'sealwright.mail.requested'
/** Long enough for any ring that is there, on a busy machine. */
const PATIENTLY_MS = 20_000

const BELLS = [
  { name: 'one process', open: async () => ({ notifier: inProcessNotifier(), [Symbol.asyncDispose]: async () => {} }) },
  { name: 'several processes', open: openEmptyNatsBell },
]

async function openEmptyNatsBell(): Promise<{ notifier: Notifier } & AsyncDisposable> {
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
describe.each(BELLS)('the bell of $name', ({ open }) => {
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

  const next = (subject: WorkSubject, waitMs = PATIENTLY_MS) => notifier.next(subject, waitMs, stop.signal)
  async function take(subject: WorkSubject): Promise<Notification> {
    const ring = await next(subject)
    if (!ring) throw new Error('No ring came.')
    return ring
  }

  test('keeps a ring for whoever comes later, with its body', async () => {
    const body = { snake_key: 'ä', nested: { camelKey: [1, null] } }
    await notifier.publish([message(SEAL, body)])
    const ring = await take(SEAL)
    expect(ring.body).toEqual(body)
    ring.settle({ kind: 'ack' })
  })

  test('wakes who waits', async () => {
    const waiting = take(MAIL)
    await notifier.publish([message(MAIL, { n: 1 })])
    expect((await waiting).body).toEqual({ n: 1 })
  })

  test('delivers in the order of publishing, per subject', async () => {
    await notifier.publish([message(SEAL, { n: 1 }), message(MAIL, { n: 2 }), message(SEAL, { n: 3 }), message(SEAL, { n: 4 })])
    const heard: unknown[] = []
    for (const subject of [SEAL, SEAL, SEAL, MAIL]) {
      const ring = await take(subject)
      heard.push(ring.body)
      ring.settle({ kind: 'ack' })
    }
    expect(heard).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }, { n: 2 }])
  })

  test('gives each ring to one of all who wait', async () => {
    const lanes = Array.from({ length: 5 }, () => take(SEAL))
    await notifier.publish(lanes.map((_, n) => message(SEAL, { n })))
    const bodies = (await Promise.all(lanes)).map(({ body }) => JSON.stringify(body))
    expect(bodies.toSorted()).toEqual([0, 1, 2, 3, 4].map((n) => JSON.stringify({ n })))
  })

  test('answers nothing when no ring comes in time', async () => {
    expect(await next(SEAL, 1_000)).toBeUndefined()
  })

  test('lets go at once who stops waiting, and loses no ring by it', async () => {
    const waiting = next(SEAL)
    stop.abort()
    expect(await waiting).toBeUndefined()
    stop = new AbortController()
    await notifier.publish([message(SEAL, { n: 1 })])
    expect((await take(SEAL)).body).toEqual({ n: 1 })
  })

  test('does not ring again for what is done, nor for what can never be done', async () => {
    await notifier.publish([message(SEAL, { n: 1 }), message(SEAL, { n: 2 })])
    for (const kind of ['ack', 'term'] as const) (await take(SEAL)).settle({ kind })
    expect(await next(SEAL, 1_000)).toBeUndefined()
  })

  test('redelivers what was nacked', async () => {
    await notifier.publish([message(SEAL, { n: 1 })])
    const first = await take(SEAL)
    first.settle({ kind: 'nak', seconds: 0.05 })
    expect((await take(SEAL)).body).toEqual(first.body)
  })

  test('takes events that nobody waits for', async () => {
    await notifier.publish([message('sealwright.envelope.sent'), message('sealwright.signer.signed')])
    expect(await next(SEAL, 1_000)).toBeUndefined()
  })

  test('takes a thousand notifications at once', async () => {
    await notifier.publish(Array.from({ length: 1_000 }, (_, n) => message(SEAL, { n })))
    for (let n = 0; n < 1_000; n++) {
      const ring = await take(SEAL)
      expect(ring.body).toEqual({ n })
      ring.settle({ kind: 'ack' })
    }
  })
})
