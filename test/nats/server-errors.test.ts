// The JetStream notifier with a server that is down, wiped, rejects us or has foreign streams.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { nanos } from 'nats'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import {
  aNotifier,
  aFolder,
  aServer,
  managing,
  message,
  next,
  published,
  expectNotification,
} from '../support/servers/nats-notifiers.ts'

const SEAL = 'sealwright.seal.requested'
const WORK_STREAM = 'sealwright-work'

describe('a notifier whose server', () => {
  test('is killed and restarted reconnects, and keeps published messages', async () => {
    const server = await aServer()
    const notifier = await aNotifier(server.url)
    await notifier.publish([message('1')])
    process.kill(server.pid, 'SIGKILL')
    await server.exited
    await expect(notifier.publish([message('2')])).rejects.toThrow()
    expect(await next(notifier, 1_000)).toBeUndefined()
    await aServer({ dataDir: server.dataDir, port: server.port })
    await expectNotification(notifier).toEqual({ id: '1' })
    await published(notifier, '3')
  })

  test('has lost its streams creates them again', async () => {
    const { url } = await aServer()
    const notifier = await aNotifier(url)
    await managing(url, async (manager) => {
      for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name)
    })
    await published(notifier, '1')
    await expectNotification(notifier).toEqual({ id: '1' })
  })

  test('has lost its streams during a wait creates them for the next', async () => {
    const { url } = await aServer()
    const notifier = await aNotifier(url)
    const waiting = next(notifier, 3_000)
    await managing(url, (manager) => manager.streams.delete(WORK_STREAM))
    expect(await waiting).toBeUndefined()
    await published(notifier, '1')
    await expectNotification(notifier).toEqual({ id: '1' })
  })

  test('was started on an empty disk creates its streams again', async () => {
    const server = await aServer()
    const notifier = await aNotifier(server.url)
    await server.stop()
    await aServer({ port: server.port })
    await published(notifier, '1')
    await expectNotification(notifier).toEqual({ id: '1' })
  })

  test('is not up yet delivers nothing, and delivers once the server is up', async () => {
    const port = await freePort()
    const notifier = await aNotifier(`nats://127.0.0.1:${port}`)
    expect(notifier.lastError()).toMatch(/^SEALWRIGHT_NATS_URL: NATS cannot be reached \(.*ECONNREFUSED/)
    const startedAt = performance.now()
    expect(await next(notifier, 100)).toBeUndefined()
    expect(performance.now() - startedAt).toBeGreaterThan(95)
    await expect(notifier.publish([message('1')])).rejects.toMatchObject({
      kind: 'NATS_UNREACHABLE',
      message: 'SEALWRIGHT_NATS_URL: NATS is not connected.',
    })
    await aServer({ port })
    await published(notifier, '2')
    await expectNotification(notifier).toEqual({ id: '2' })
    expect(notifier.lastError()).toBe(undefined)
  })
})

describe('opening a notifier fails, in one sentence,', () => {
  test('when the server rejects the credentials', async () => {
    const { url } = await aServer({ user: { name: 'sealwright', password: 'right' } })
    await expect(aNotifier(url.replace('right', 'wrong'))).rejects.toThrow(/^SEALWRIGHT_NATS_URL .*refuses these credentials/)
    expect((await aNotifier(url)).lastError()).toBe(undefined)
  })

  test('when the credentials file cannot be read', async () => {
    const { url } = await aServer()
    await expect(aNotifier(url, { credsFile: join(await aFolder(), 'absent.creds') })).rejects.toThrow(
      /^SEALWRIGHT_NATS_CREDS_FILE cannot be read/,
    )
  })

  test.each([
    ['is invalid', 'localhost\n'],
    ['holds an invalid seed', '---A---\ntoken\n---B---\n---C---\nSUAO\n---D---\n'],
  ])('when the credentials file %s', async (_, text) => {
    const { url } = await aServer()
    const credsFile = join(await aFolder(), 'invalid.creds')
    await writeFile(credsFile, text)
    await expect(aNotifier(url, { credsFile })).rejects.toThrow(/^SEALWRIGHT_NATS_CREDS_FILE cannot be read: .+\.$/)
  })

  test('when the server has no JetStream', async () => {
    const { url } = await aServer({ jetStream: false })
    await expect(aNotifier(url)).rejects.toThrow('SEALWRIGHT_NATS_URL: JetStream is not enabled for the server or the account.')
  })

  test('when a foreign stream has the name, which stays unchanged', async () => {
    const { url } = await aServer()
    const foreign = { name: WORK_STREAM, subjects: ['other.>'] }
    await managing(url, (manager) => manager.streams.add(foreign))
    await expect(aNotifier(url)).rejects.toThrow(/the stream sealwright-work exists and was not created by Sealwright/)
    const kept = await managing(url, (manager) => manager.streams.info(WORK_STREAM))
    expect(kept.config.subjects).toEqual(foreign.subjects)
  })

  test('when a stream cannot be created with so many replicas', async () => {
    const { url } = await aServer()
    await expect(aNotifier(url, { replicas: 3 })).rejects.toThrow(
      /^The stream sealwright-work cannot be created: .* See SEALWRIGHT_NATS_REPLICAS/,
    )
  })

  test('when an existing stream cannot have so many replicas', async () => {
    const { url } = await aServer()
    await aNotifier(url)
    await expect(aNotifier(url, { replicas: 3 })).rejects.toThrow(
      'The stream sealwright-work cannot have 3 replicas: the server is not in a cluster. See SEALWRIGHT_NATS_REPLICAS.',
    )
    const kept = await managing(url, (manager) => manager.streams.info(WORK_STREAM))
    expect(kept.config.num_replicas).toBe(1)
  })

  test('when the URL requires TLS and the server has none, before any password is sent', async () => {
    const { url } = await aServer({ user: { name: 'sealwright', password: 'right' } })
    await expect(aNotifier(url.replace('nats:', 'tls:'))).rejects.toThrow('SEALWRIGHT_NATS_URL: the server does not offer TLS')
  })

  test('when a stream cannot be changed to the declared configuration', async () => {
    const { url } = await aServer()
    await managing(url, (manager) =>
      manager.streams.add({
        name: WORK_STREAM,
        subjects: [SEAL],
        storage: StorageType.Memory,
        metadata: { application: 'sealwright' },
      }),
    )
    await expect(aNotifier(url)).rejects.toThrow(/The stream sealwright-work cannot be updated to .*: .*\. Delete it/)
  })
})

describe('the stream', () => {
  test('is declared: it is a queue, messages are kept for a day, a duplicate id is dropped', async () => {
    const { url } = await aServer()
    const notifier = await aNotifier(url)
    await notifier.publish([message('7')])
    await notifier.publish([message('7')])
    const { config, state } = await managing(url, (manager) => manager.streams.info(WORK_STREAM))
    expect(config).toMatchObject({
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      max_msgs: 100_000,
      max_age: nanos(86_400_000),
    })
    expect(state.messages).toBe(1)
  })

  test('follows changed settings at the next start', async () => {
    const { url } = await aServer()
    await aNotifier(url)
    await aNotifier(url, { maxMessages: 5_000, duplicateWindowSeconds: 60 })
    const { config } = await managing(url, (manager) => manager.streams.info(WORK_STREAM))
    expect(config).toMatchObject({ max_msgs: 5_000, duplicate_window: nanos(60_000) })
  })

  test('is created once by many processes that start together', async () => {
    const { url } = await aServer()
    const notifiers = await Promise.all(Array.from({ length: 8 }, () => aNotifier(url)))
    expect(notifiers.map((notifier) => notifier.lastError())).toEqual(Array.from({ length: 8 }, () => undefined))
  })
})
