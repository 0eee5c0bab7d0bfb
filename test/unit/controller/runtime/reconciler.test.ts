import { register } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Outcome, type Reconciler, startReconciler } from '../../../../controller/runtime/reconciler.ts'
import { type WorkQueue, newWorkQueue } from '../../../../controller/runtime/work-queue.ts'
import { KubeError, KubeUnreachable } from '../../../../core/platform/kubernetes/kube-error.ts'
import type { Logger } from '../../../../core/platform/log.ts'
import { FakeRuntimeClock, settle } from '../../../support/fake-runtime-clock.ts'

let clock: FakeRuntimeClock
let queue: WorkQueue
let log: Record<'debug' | 'info' | 'warn' | 'error', ReturnType<typeof vi.fn>>
let running: Reconciler | undefined

beforeEach(() => {
  register.resetMetrics()
  clock = new FakeRuntimeClock()
  queue = newWorkQueue('things', clock, () => 0)
  log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
})
afterEach(async () => {
  const stopped = running?.[Symbol.asyncDispose]()
  await clock.advance(10_000)
  await stopped
})

function start(
  reconcile: (key: string, signal: AbortSignal) => Promise<Outcome>,
  concurrency = 1,
  more: { signal?: AbortSignal } = {},
): Reconciler {
  running = startReconciler({ name: 'things', concurrency, queue, reconcile, clock, log: log as unknown as Logger, ...more })
  return running
}

const conflict = () => Promise.reject(new KubeError(409, 'Conflict', 'the object has been modified'))

async function results(): Promise<Record<string, number>> {
  const metric = await register.getSingleMetric('controller_runtime_reconcile_total')!.get()
  return Object.fromEntries(metric.values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels['result'], value]))
}

describe('the reconciler', () => {
  test.each<{ name: string; run: () => Promise<Outcome>; runs: Record<string, number>; result: Record<string, number> }>([
    {
      name: 'a finished key is not run again',
      run: async () => ({ kind: 'done' }),
      runs: { '0 s': 1, '60 s': 1 },
      result: { success: 1 },
    },
    {
      name: 'a key that asks for a time is run again then',
      run: async () => ({ kind: 'after', ms: 20_000 }),
      runs: { '0 s': 1, '19 s': 1, '20 s': 2, '40 s': 3 },
      result: { requeue_after: 3 },
    },
    {
      name: 'a refused key is not run again',
      run: async () => ({ kind: 'refuse', reason: 'AddressRefused' }),
      runs: { '0 s': 1, '3600 s': 1 },
      result: { refused: 1 },
    },
    {
      name: 'a failed key is retried with a growing delay',
      run: () => Promise.reject(new Error('bug')),
      runs: { '0 s': 1, '1 s': 2, '2 s': 2, '3 s': 3, '7 s': 4 },
      result: { error: 4 },
    },
    {
      name: 'a conflict is retried at once, five times, then as a failure',
      run: conflict,
      runs: { '0 s': 6, '1 s': 12 },
      result: { requeue: 10, error: 2 },
    },
  ])('$name', async ({ run, runs, result }) => {
    const reconcile = vi.fn(run)
    start(reconcile)
    queue.add('ns/a')
    await settle()
    const seen: Record<string, number> = {}
    for (const time of Object.keys(runs)) {
      await clock.advance(Number.parseInt(time) * 1000 - clock.elapsedMs())
      seen[time] = reconcile.mock.calls.length
    }
    expect(seen).toEqual(runs)
    expect(await results()).toEqual(result)
  })

  test('a success ends the series of failures', async () => {
    const outcomes = [false, false, true, false]
    const reconcile = vi.fn(async (): Promise<Outcome> => {
      if (outcomes.shift() === false) throw new Error('bug')
      return { kind: 'done' }
    })
    start(reconcile)
    queue.add('a')
    await clock.advance(3000)
    queue.add('a')
    await clock.advance(999)
    expect(reconcile).toHaveBeenCalledTimes(4)
    await clock.advance(1)
    expect(reconcile).toHaveBeenCalledTimes(5)
  })

  test('a key that fails or hangs does not hold up others', async () => {
    const finished: string[] = []
    const reconciler = start(async (key) => {
      if (key === 'hangs') await new Promise(() => {})
      if (key === 'throws') throw new Error('bug')
      finished.push(key)
      return { kind: 'done' }
    }, 2)
    for (const key of ['hangs', 'throws', 'a', 'b']) queue.add(key)
    await clock.advance(100)
    expect(finished).toEqual(['a', 'b'])
    expect([reconciler.active(), reconciler.oldestMs()]).toEqual([1, 100])
    expect(log.error.mock.calls.map(([fields, event]) => [(fields as { key: string }).key, event])).toEqual([
      ['throws', 'reconcile.failed'],
    ])
  })

  test('never runs one key twice at the same time', async () => {
    let active = 0
    let most = 0
    const release: (() => void)[] = []
    start(async () => {
      most = Math.max(most, ++active)
      await new Promise<void>((resolve) => release.push(resolve))
      active--
      return { kind: 'done' }
    }, 4)
    for (let round = 0; round < 3; round++) {
      queue.add('a')
      await settle()
    }
    expect(release.length).toBe(1)
    release[0]!()
    await settle()
    expect([release.length, most]).toEqual([2, 1])
    release[1]!()
  })

  test.each([
    () => new KubeError(503, 'ServiceUnavailable', 'apiserver is shutting down'),
    (key: string) => new KubeUnreachable('connection', `GET /things/${key}: other side closed`, new Error('other side closed')),
    (key: string) => new KubeUnreachable('deadline', `GET /things/${key}: no answer within 30 s`),
  ])('an API server that is away is logged once, not for each key: %#', async (failure) => {
    start((key) => Promise.reject(failure(key)))
    for (let index = 0; index < 20; index++) queue.add(`k${index}`)
    await settle()
    expect([log.warn.mock.calls.length, log.error.mock.calls.length]).toEqual([1, 0])
  })

  test('a stop aborts the running reconcile, awaits it and starts no other', async () => {
    const ended: string[] = []
    const reconciler = start(async (key, signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      await new Promise<void>((resolve) => void clock.after(2000, resolve))
      ended.push(key)
      throw new Error('stopped')
    })
    queue.add('a')
    queue.add('b')
    await settle()
    let isStopped = false
    const stopping = reconciler[Symbol.asyncDispose]().then(() => (isStopped = true))
    await clock.advance(1999)
    expect(isStopped).toBe(false)
    await clock.advance(1)
    await stopping
    expect([ended, log.error.mock.calls.length]).toEqual([['a'], 0])
  })

  test('what ends with the leadership is no failure', async () => {
    const leadership = new AbortController()
    start(
      async () => {
        await new Promise<void>((resolve) => leadership.signal.addEventListener('abort', () => resolve()))
        throw leadership.signal.reason
      },
      1,
      { signal: leadership.signal },
    )
    queue.add('a')
    queue.add('b')
    await settle()
    leadership.abort(new Error('the Lease is lost'))
    await clock.advance(10_000)
    expect([log.error.mock.calls, await results()]).toEqual([[], {}])
  })

  test('a stop waits ten seconds for a reconcile that hangs, and names its key', async () => {
    const reconciler = start(() => new Promise(() => {}))
    queue.add('ns/hangs')
    await settle()
    const stopping = reconciler[Symbol.asyncDispose]()
    await clock.advance(10_000)
    await stopping
    expect(log.warn).toHaveBeenCalledWith({ controller: 'things', keys: ['ns/hangs'] }, 'reconcile.abandoned')
  })
})
