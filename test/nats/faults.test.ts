// What the bell of several processes does when its server is away, wiped, refuses us or belongs to somebody else.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AckPolicy,
  type ConsumerConfig,
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  type StreamUpdateConfig,
  StorageType,
} from '@nats-io/jetstream'
import type { BellMessage } from '#core/bell/bell.ts'
import { openLog } from '#core/log.ts'
import { type NatsBell, type NatsBellOptions, openNatsBell } from '#core/nats/nats-bell.ts'
import { connect, nanos } from 'nats'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { type NatsServer, startNatsServer } from '../../hack/servers/nats-server.ts'

const SEAL = 'sealwright.seal.requested'
const WORK_STREAM = 'sealwright-work'
const CHOICES = { replicas: 1, duplicateWindowSeconds: 120, maxMessages: 100_000 }

let folder: string
let endings: AsyncDisposableStack
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealwright-nats-faults-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => endings.disposeAsync())

let servers = 0
/** A server of its own, with an empty folder unless one is given. */
async function aServer(options: Partial<Parameters<typeof startNatsServer>[0]> = {}): Promise<NatsServer & { dataDir: string }> {
  endings ??= new AsyncDisposableStack()
  if (endings.disposed) endings = new AsyncDisposableStack()
  const dataDir = options.dataDir ?? join(folder, String(++servers))
  const server = await startNatsServer({ dataDir, ...options })
  endings.defer(() => server.stop())
  return { ...server, dataDir }
}

async function aBell(url: string, options: Partial<NatsBellOptions> = {}): Promise<NatsBell> {
  const bell = await openNatsBell({ url, name: 'test', log: openLog('silent', '/dev/null'), ...CHOICES, ...options })
  endings.use(bell)
  return bell
}

async function managing<T>(url: string, work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: url })
  try {
    return await work(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}

const message = (id: string): BellMessage => ({ subject: SEAL, id, body: { id }, lane: 0, traceParent: null })
const next = (bell: NatsBell, waitMs = 2_000) => bell.next(SEAL, waitMs, new AbortController().signal)
/** Publishes until the bell takes it. */
const published = (bell: NatsBell, id: string) =>
  expect
    .poll(
      () =>
        bell.publish([message(id)]).then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true)
const rings = (bell: NatsBell) => expect.poll(async () => (await next(bell))?.body, { timeout: 30_000 })

describe('a bell whose server', () => {
  test('is killed and started again goes on by itself, and keeps what had been taken', async () => {
    const server = await aServer()
    const bell = await aBell(server.url)
    await bell.publish([message('1')])
    process.kill(server.pid, 'SIGKILL')
    await server.exited
    await expect(bell.publish([message('2')])).rejects.toThrow()
    expect(await next(bell, 1_000)).toBeUndefined()
    await aServer({ dataDir: server.dataDir, port: server.port })
    await rings(bell).toEqual({ id: '1' })
    await published(bell, '3')
  })

  test('has lost its streams makes them anew', async () => {
    const { url } = await aServer()
    const bell = await aBell(url)
    await managing(url, async (manager) => {
      for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name)
    })
    await published(bell, '1')
    await rings(bell).toEqual({ id: '1' })
  })

  test('has lost its streams while somebody waits makes them anew for the next', async () => {
    const { url } = await aServer()
    const bell = await aBell(url)
    const waiting = next(bell, 3_000)
    await managing(url, (manager) => manager.streams.delete(WORK_STREAM))
    expect(await waiting).toBeUndefined()
    await published(bell, '1')
    await rings(bell).toEqual({ id: '1' })
  })

  test('was started on an empty disk is set up again', async () => {
    const server = await aServer()
    const bell = await aBell(server.url)
    await server.stop()
    await aServer({ port: server.port })
    await published(bell, '1')
    await rings(bell).toEqual({ id: '1' })
  })

  test('has a stream that somebody has narrowed names it, and takes that back', async () => {
    const { url } = await aServer()
    const bell = await aBell(url)
    await managing(url, (manager) => manager.streams.update(WORK_STREAM, { max_msg_size: 10 }))
    await expect(bell.publish([message('1')])).rejects.toThrow(
      /^The stream sealwright-work takes no ring: message size exceeds maximum allowed\./,
    )
    expect(bell.fault()).toMatch(/^The stream sealwright-work takes no ring/)
    await published(bell, '2')
    await rings(bell).toEqual({ id: '2' })
  })

  test('is not there yet is silent, and rings once the server is there', async () => {
    const port = await freePort()
    endings = new AsyncDisposableStack()
    const bell = await aBell(`nats://127.0.0.1:${port}`)
    expect(bell.fault()).toMatch(/^SEALWRIGHT_NATS_URL: NATS cannot be reached \(.*ECONNREFUSED/)
    const startedAt = performance.now()
    expect(await next(bell, 100)).toBeUndefined()
    expect(performance.now() - startedAt).toBeGreaterThan(95)
    await expect(bell.publish([message('1')])).rejects.toThrow('NATS is not connected')
    await aServer({ port })
    await published(bell, '2')
    await rings(bell).toEqual({ id: '2' })
    expect(bell.fault()).toBe(undefined)
  })
})

describe('a bell is refused, in one sentence,', () => {
  test('by a server that does not take the credentials', async () => {
    const { url } = await aServer({ user: { name: 'sealwright', password: 'right' } })
    await expect(aBell(url.replace('right', 'wrong'))).rejects.toThrow(/^SEALWRIGHT_NATS_URL .*does not take these credentials/)
    expect((await aBell(url)).fault()).toBe(undefined)
  })

  test('when the credentials file cannot be read', async () => {
    const { url } = await aServer()
    await expect(aBell(url, { credsFile: join(folder, 'absent.creds') })).rejects.toThrow(
      /^SEALWRIGHT_NATS_CREDS_FILE cannot be read/,
    )
  })

  test.each([
    ['is none', 'localhost\n'],
    ['holds a spoilt seed', '---A---\ntoken\n---B---\n---C---\nSUAO\n---D---\n'],
  ])('when the credentials file %s', async (_, text) => {
    const { url } = await aServer()
    const credsFile = join(folder, 'spoilt.creds')
    await writeFile(credsFile, text)
    await expect(aBell(url, { credsFile })).rejects.toThrow(/^SEALWRIGHT_NATS_CREDS_FILE cannot be read: .+\.$/)
  })

  test('by a server without JetStream', async () => {
    const { url } = await aServer({ jetStream: false })
    await expect(aBell(url)).rejects.toThrow('SEALWRIGHT_NATS_URL: the server or the account has no JetStream.')
  })

  test('when a stream of the name belongs to somebody else, which stays as it is', async () => {
    const { url } = await aServer()
    const foreign = { name: WORK_STREAM, subjects: ['other.>'] }
    await managing(url, (manager) => manager.streams.add(foreign))
    await expect(aBell(url)).rejects.toThrow(/the stream sealwright-work exists and was not made by Sealwright/)
    const kept = await managing(url, (manager) => manager.streams.info(WORK_STREAM))
    expect(kept.config.subjects).toEqual(foreign.subjects)
  })

  test('when a stream cannot be made with as many replicas', async () => {
    const { url } = await aServer()
    await expect(aBell(url, { replicas: 3 })).rejects.toThrow(
      /^The stream sealwright-work cannot be made: .* See SEALWRIGHT_NATS_REPLICAS/,
    )
  })

  test('by a server without TLS when the URL asks for it, before any password is sent', async () => {
    const { url } = await aServer({ user: { name: 'sealwright', password: 'right' } })
    await expect(aBell(url.replace('nats:', 'tls:'))).rejects.toThrow('SEALWRIGHT_NATS_URL: the server offers no TLS')
  })

  test('when a stream cannot be changed to what is declared', async () => {
    const { url } = await aServer()
    await managing(url, (manager) =>
      manager.streams.add({
        name: WORK_STREAM,
        subjects: [SEAL],
        storage: StorageType.Memory,
        metadata: { application: 'sealwright' },
      }),
    )
    await expect(aBell(url)).rejects.toThrow(/The stream sealwright-work cannot be changed .*: .*\. Delete it/)
  })
})

describe('a bell is refused by name of stream and consumer', () => {
  const replacedBy = async (url: string, config: Partial<ConsumerConfig>): Promise<void> => {
    await aBell(url)
    await managing(url, async (manager) => {
      await manager.consumers.delete(WORK_STREAM, 'seal')
      await manager.consumers.add(WORK_STREAM, { filter_subject: SEAL, ack_policy: AckPolicy.Explicit, ...config })
    })
  }

  test('when a consumer pushes', async () => {
    const { url } = await aServer()
    await replacedBy(url, { durable_name: 'seal', deliver_subject: 'elsewhere' })
    await expect(aBell(url)).rejects.toThrow(
      'SEALWRIGHT_NATS_URL: the consumer seal of the stream sealwright-work cannot be changed to what is declared: can not update push consumer to pull based. Delete it: it holds no work, only hints, and is made anew.',
    )
  })

  test('when somebody else’s consumer takes its rings, which is named as well', async () => {
    const { url } = await aServer()
    await replacedBy(url, { durable_name: 'stranger' })
    await expect(aBell(url)).rejects.toThrow(
      "SEALWRIGHT_NATS_URL: the consumer seal of the stream sealwright-work cannot be made: filtered consumer not unique on workqueue stream. Delete the consumers of this stream that are not Sealwright's: stranger.",
    )
  })

  test('when a stream was sealed, which nobody can take back', async () => {
    const { url } = await aServer()
    await aBell(url)
    const sealed: Partial<StreamUpdateConfig> & { sealed: boolean } = { sealed: true }
    await managing(url, (manager) => manager.streams.update('sealwright-events', sealed))
    await expect(aBell(url)).rejects.toThrow(/^The stream sealwright-events cannot be changed .*: .*\. Delete it/)
  })
})

describe('what somebody changed is taken back at the next start:', () => {
  test.each<[string, Partial<StreamUpdateConfig>]>([
    ['the size of a message', { max_msg_size: 10 }],
    ['the size of the stream', { max_bytes: 100 }],
    ['how many it holds', { max_msgs: 1 }],
    [
      'how many it holds of a subject, and what is let go',
      { max_msgs_per_subject: 1, discard: DiscardPolicy.New, discard_new_per_subject: true },
    ],
    ['that messages are acknowledged', { no_ack: true }],
    ['what consumers may hold', { consumer_limits: { max_ack_pending: 10_000, inactive_threshold: nanos(60_000) } }],
    ['where messages go', { subject_transform: { src: '>', dest: 'elsewhere.>' } }],
  ])('%s', async (_, edit) => {
    const { url } = await aServer()
    await aBell(url)
    await managing(url, async (manager) => {
      for (const name of [WORK_STREAM, 'sealwright-events']) {
        const { config: declared } = await manager.streams.info(name)
        await manager.streams.update(name, edit)
        await aBell(url)
        expect((await manager.streams.info(name)).config).toEqual(declared)
      }
    })
  })

  test.each<[string, Partial<ConsumerConfig>]>([
    ['what a consumer delivers', { headers_only: true }],
    ['how much it delivers at a time', { max_batch: 1, max_expires: nanos(1_000) }],
    ['how often and when again', { max_deliver: 3, backoff: [nanos(1_000)] }],
    ['how long it lives unused', { inactive_threshold: nanos(60_000) }],
    ['which subject it takes', { filter_subject: 'sealwright.other' }],
  ])('%s', async (_, edit) => {
    const { url } = await aServer()
    await aBell(url)
    await managing(url, async (manager) => {
      const { config: declared } = await manager.consumers.info(WORK_STREAM, 'seal')
      await manager.consumers.update(WORK_STREAM, 'seal', edit)
      await aBell(url)
      expect((await manager.consumers.info(WORK_STREAM, 'seal')).config).toEqual(declared)
    })
  })

  test('a pause', async () => {
    const { url } = await aServer()
    await aBell(url)
    await managing(url, (manager) => manager.consumers.pause(WORK_STREAM, 'seal', new Date(Date.now() + 3_600_000)))
    const bell = await aBell(url)
    await bell.publish([message('1')])
    await rings(bell).toEqual({ id: '1' })
  })
})

describe('the streams', () => {
  test('are declared: work is a queue, events are kept for a day, a second ring of the same id is dropped', async () => {
    const { url } = await aServer()
    const bell = await aBell(url)
    await bell.publish([message('7')])
    await bell.publish([message('7')])
    const [work, events] = await managing(url, async (manager) => [
      await manager.streams.info(WORK_STREAM),
      await manager.streams.info('sealwright-events'),
    ])
    expect(work?.config).toMatchObject({ retention: RetentionPolicy.Workqueue, storage: StorageType.File, max_msgs: 100_000 })
    expect(work?.state.messages).toBe(1)
    expect(events?.config.max_age).toBe(nanos(86_400_000))
  })

  test('follow changed settings at the next start', async () => {
    const { url } = await aServer()
    await aBell(url)
    await aBell(url, { maxMessages: 5_000, duplicateWindowSeconds: 60 })
    const { config } = await managing(url, (manager) => manager.streams.info(WORK_STREAM))
    expect(config).toMatchObject({ max_msgs: 5_000, duplicate_window: nanos(60_000) })
  })

  test('are made once by many processes that start at the same moment', async () => {
    const { url } = await aServer()
    const bells = await Promise.all(Array.from({ length: 8 }, () => aBell(url)))
    expect(bells.map((bell) => bell.fault())).toEqual(Array.from({ length: 8 }, () => undefined))
  })
})
