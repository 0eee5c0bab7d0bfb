import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Change, type Reflector, type Relist, startReflector } from '../../../../controller/runtime/reflector.ts'
import { watchSilence } from '../../../../core/platform/metrics/controller-metrics.ts'
import { KubeError, KubeUnreachable } from '../../../../core/platform/kubernetes/kube-error.ts'
import type { KubeObject } from '../../../../core/platform/kubernetes/kube-object.ts'
import type { Logger } from '../../../../core/platform/log.ts'
import { bookmark, endOfList, event, failed, resource, type Thing, thing } from '../../../support/builders/watched-things.ts'
import { FakeKubeClient } from '../../../support/fake-kube-client.ts'
import { FakeRuntimeClock, settle } from '../../../support/fake-runtime-clock.ts'

let clock: FakeRuntimeClock
let client: FakeKubeClient
let changes: Change<Thing>[]
let relists: Relist[]
let reflector: Reflector<Thing>
let handle: (change: Change<Thing>) => void
const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() } as unknown as Logger

beforeEach(() => {
  vi.clearAllMocks()
  clock = new FakeRuntimeClock()
  client = new FakeKubeClient()
  changes = []
  relists = []
  handle = (change) => changes.push(change)
})
afterEach(() => reflector[Symbol.asyncDispose]())

async function start(): Promise<void> {
  reflector = startReflector<Thing>({
    kube: { requests: client, watches: client },
    resource,
    namespace: 'ns',
    indexes: { org: ({ spec }) => [spec.org] },
    onChange: (change) => handle(change),
    onRelist: (relist) => relists.push(relist),
    clock,
    log,
    random: () => 0,
  })
  await settle()
}

/** A list of a (version 1) and b (version 2) at version 10, and the watch that follows. */
async function startSynced(): Promise<void> {
  await start()
  client.current.send(event('ADDED', thing('a', 1)), event('ADDED', thing('b', 2)), endOfList(10))
  await settle()
  changes.length = 0
}

const seen = () =>
  changes.map(({ key, before, now, relisted }) =>
    [key, before?.metadata.resourceVersion, now?.metadata.resourceVersion, relisted].map((part) => part ?? '-').join(' '),
  )

describe('the reflector', () => {
  test('lists as a stream up to its last bookmark, then watches from there', async () => {
    await start()
    client.current.send(event('ADDED', thing('a', 1)), bookmark(5), event('ADDED', thing('b', 2, 'two')))
    await settle()
    expect([reflector.hasSynced(), changes, client.current.query]).toEqual([
      false,
      [],
      expect.objectContaining({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true }),
    ])
    client.current.send(endOfList(10))
    await reflector.synced
    await settle()
    expect(seen()).toEqual(['ns/a - 1 true', 'ns/b - 2 true'])
    expect(reflector.store.by('org', 'two').map(({ metadata }) => metadata.name)).toEqual(['b'])
    expect(reflector.store.get('ns/a')?.metadata).toEqual({ namespace: 'ns', name: 'a', uid: 'uid-a', resourceVersion: '1' })
    expect(client.watches.map(({ query, isOpen }) => [query['resourceVersion'], query['timeoutSeconds'], isOpen])).toEqual([
      [undefined, 300, false],
      ['10', 35, true],
    ])
    expect(relists).toEqual([])
  })

  test('applies changes and deletions in their order', async () => {
    await startSynced()
    client.current.send(
      event('ADDED', thing('c', 11)),
      event('MODIFIED', thing('a', 12)),
      event('MODIFIED', thing('a', 12)),
      event('DELETED', thing('b', 13)),
    )
    await settle()
    expect(seen()).toEqual(['ns/c - 11 -', 'ns/a 1 12 -', 'ns/b 13 - -'])
    expect(reflector.store.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'c'])
  })

  test.each([400, 422])('lists in pages of 500 when the server answers a streamed list with %i', async (status) => {
    client.refuse = ({ query }) => (query?.['sendInitialEvents'] ? new KubeError(status, 'Invalid', 'forbidden') : undefined)
    const pages = [
      {
        metadata: { continue: 'next', resourceVersion: '20' },
        items: [{ ...thing('a', 1), kind: undefined, apiVersion: undefined }],
      },
      { metadata: { resourceVersion: '20' }, items: [thing('b', 2)] },
    ]
    client.answer = () => pages.shift()
    await start()
    await settle()
    expect(client.requests.map(({ path, query }) => [path, query])).toEqual([
      ['/apis/example.test/v1/namespaces/ns/things', { limit: 500 }],
      ['/apis/example.test/v1/namespaces/ns/things', { limit: 500, continue: 'next' }],
    ])
    expect(reflector.store.get('ns/a')).toMatchObject({ kind: 'Thing', apiVersion: 'example.test/v1' })
    expect([seen(), client.current.query['resourceVersion']]).toEqual([['ns/a - 1 true', 'ns/b - 2 true'], '20'])
  })

  describe('after the end of a watch', () => {
    test.each<{ name: string; end: () => void; afterMs: number; version: string | undefined }>([
      { name: 'the server closed it', end: () => client.current.close(), afterMs: 800, version: '15' },
      {
        name: 'the connection was cut',
        end: () => client.current.fail(new KubeUnreachable('connection', 'reset')),
        afterMs: 1000,
        version: '15',
      },
      {
        name: 'a line was cut',
        end: () => client.current.fail(new KubeUnreachable('malformed', 'half')),
        afterMs: 1000,
        version: '15',
      },
      {
        name: 'an object has no name',
        end: () => client.current.send(event('ADDED', {} as KubeObject)),
        afterMs: 1000,
        version: '15',
      },
      {
        name: 'an object has no uid',
        end: () => client.current.send(event('ADDED', { metadata: { name: 'a' } } as KubeObject)),
        afterMs: 1000,
        version: '15',
      },
      { name: 'the server sent a 500', end: () => client.current.send(failed(500)), afterMs: 1000, version: '15' },
      { name: 'the server sent a 410', end: () => client.current.send(failed(410)), afterMs: 1000, version: undefined },
      {
        name: 'the server answered 410',
        end: () => client.current.fail(new KubeError(410, 'Expired', 'old')),
        afterMs: 1000,
        version: undefined,
      },
      {
        name: 'the kind was removed',
        end: () => client.current.fail(new KubeError(404, 'NotFound', 'no')),
        afterMs: 1000,
        version: undefined,
      },
      {
        name: 'the server asked for six seconds',
        end: () => client.current.fail(new KubeError(429, 'TooManyRequests', 'storage is (re)initializing', 6000)),
        afterMs: 6000,
        version: '15',
      },
      {
        name: 'the server was restored to an older version',
        end: () => client.current.send(bookmark(9)),
        afterMs: 1000,
        version: undefined,
      },
      {
        name: 'our version is in the future of the server',
        end: () => client.current.fail(new KubeError(504, 'Timeout', 'Too large resource version: 15, current: 9')),
        afterMs: 1000,
        version: undefined,
      },
    ])('because $name, the next begins after $afterMs ms at $version', async ({ end, afterMs, version }) => {
      await startSynced()
      client.current.send(bookmark(15))
      await settle()
      end()
      await settle()
      const before = client.watches.length
      await clock.advance(afterMs - 1)
      expect(client.watches.length).toBe(before)
      await clock.advance(1)
      expect(client.watches.length).toBe(before + 1)
      expect([client.current.query['resourceVersion'], client.current.query['sendInitialEvents'] ?? false]).toEqual([
        version,
        version === undefined,
      ])
      expect([reflector.hasSynced(), reflector.store.size]).toEqual([true, 2])
    })
  })

  test('finds what changed while it did not watch by comparison with a new list', async () => {
    await startSynced()
    client.current.send(failed(410))
    await clock.advance(1000)
    client.current.send(event('ADDED', thing('a', 1)), event('ADDED', thing('c', 30)), endOfList(40))
    await settle()
    expect(seen()).toEqual(['ns/c - 30 true', 'ns/b 2 - true'])
    expect(relists).toEqual([{ known: 2, missing: ['ns/b'] }])
    expect(client.current.query['resourceVersion']).toBe('40')
  })

  test('waits longer after each failure, up to 30 s, and starts again at 1 s after a minute without one', async () => {
    await startSynced()
    const delays: number[] = []
    for (let round = 0; round < 7; round++) {
      client.current.send(bookmark(15 + round), failed(500))
      await settle()
      const count = client.watches.length
      const failedAt = clock.elapsedMs()
      while (client.watches.length === count) await clock.advance(500)
      delays.push(clock.elapsedMs() - failedAt)
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    client.current.send(bookmark(30))
    await clock.advance(40_000)
    client.current.send(bookmark(31))
    await clock.advance(20_000)
    client.current.send(failed(500))
    await settle()
    const count = client.watches.length
    await clock.advance(1000)
    expect(client.watches.length).toBe(count + 1)
  })

  test('ends a watch after 45 s without a byte, and continues at the same version', async () => {
    await startSynced()
    await clock.advance(40_000)
    client.current.send(bookmark(15))
    await clock.advance(44_999)
    const hung = client.current
    expect([hung.isOpen, reflector.silentMs()]).toEqual([true, 44_999])
    expect((await watchSilence.get()).values).toEqual([{ labels: { kind: 'Thing' }, value: 44.999 }])
    await clock.advance(1)
    expect(hung.isOpen).toBe(false)
    await clock.advance(1000)
    expect([client.current === hung, client.current.query['resourceVersion']]).toEqual([false, '15'])
    expect(reflector.failure()).toMatchObject({ name: 'SilentWatch' })
    client.current.send(bookmark(16))
    await settle()
    expect(reflector.failure()).toBeUndefined()
  })

  test('ends a streamed list that hangs', async () => {
    await start()
    client.current.send(event('ADDED', thing('a', 1)))
    await clock.advance(45_000)
    await clock.advance(1000)
    expect([client.watches.length, client.current.query['sendInitialEvents'], reflector.hasSynced()]).toEqual([2, true, false])
  })

  test('reports why nothing works, once, and that it works again', async () => {
    client.refuse = () => new KubeError(403, 'Forbidden', 'things is forbidden')
    await start()
    await clock.advance(20_000)
    expect(reflector.failure()).toMatchObject({ status: 403 })
    expect(vi.mocked(log.warn).mock.calls).toEqual([
      [{ reason: 'Thing: things is forbidden', forSeconds: 0 }, 'kubernetes.watch_failed'],
    ])
    client.refuse = () => undefined
    await clock.advance(30_000)
    client.current.send(endOfList(10))
    await settle()
    expect([reflector.failure(), reflector.hasSynced()]).toEqual([undefined, true])
    expect(vi.mocked(log.info).mock.calls.map(([, name]) => name)).toEqual(['kubernetes.watch_failed.resolved'])
  })

  test('a handler that throws misses no later change', async () => {
    await startSynced()
    handle = ({ key }) => {
      if (key === 'ns/c') throw new Error('bug')
      changes.push({ key })
    }
    client.current.send(event('ADDED', thing('c', 11)), event('ADDED', thing('d', 12)))
    await settle()
    expect([seen(), reflector.store.size, vi.mocked(log.error).mock.calls.length]).toEqual([['ns/d - - -'], 4, 1])
  })

  test('a stopped reflector changes nothing and watches nothing any more', async () => {
    await startSynced()
    const last = client.current
    last.send(event('ADDED', thing('c', 11)))
    const stopped = reflector[Symbol.asyncDispose]()
    await stopped
    last.send(event('ADDED', thing('d', 12)))
    await clock.advance(600_000)
    expect([seen(), reflector.store.size, client.watches.length, clock.pendingTimers]).toEqual([[], 2, 2, 0])
  })

  test('a stop during the wait for a retry ends it; synced rejects when there was no list', async () => {
    client.refuse = () => new KubeUnreachable('connection', 'refused')
    await start()
    await reflector[Symbol.asyncDispose]()
    await expect(reflector.synced).rejects.toThrow('the reflector is stopped')
    await clock.advance(600_000)
    expect([client.watches.length, clock.pendingTimers]).toEqual([1, 0])
  })
})
