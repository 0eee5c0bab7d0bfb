// Terminating a thread while it loads its modules may crash the whole process.
import { EventEmitter } from 'node:events'
import { setEnvironmentData } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { watchLoadingThreads } from '#core/platform/threads/loading-threads.ts'
import { openThreadPool, type ThreadPool } from '#core/platform/threads/thread-pool.ts'
import { beforeEach, expect, test, vi } from 'vitest'

const BUFFER_MEBIBYTES = 64

/** How many threads have loaded. */
let loaded: Int32Array
beforeEach(() => {
  const shared = new SharedArrayBuffer(4)
  loaded = new Int32Array(shared)
  setEnvironmentData('loaded', shared)
  setEnvironmentData('bufferBytes', 0)
})

function openSlowPool(options: { threads: number; startAtOnce: number }): ThreadPool<undefined, void> {
  return openThreadPool({
    pool: 'inspection',
    module: new URL('../../../../support/faults/slow-thread.ts', import.meta.url),
    functionName: 'run',
    maxWaiting: 4,
    limitSeconds: 10,
    heapMebibytes: 64,
    bufferMebibytes: BUFFER_MEBIBYTES,
    ...options,
  })
}

test('a pool that is closed right after its start terminates no thread before it has loaded', async () => {
  const pool = openSlowPool({ threads: 2, startAtOnce: 2 })
  await pool.close()
  expect(loaded[0]).toBe(2)
})

test('it does not terminate one that it started for a task either', async () => {
  const pool = openSlowPool({ threads: 2, startAtOnce: 0 })
  await Promise.all([pool.run(undefined), pool.close()])
  expect(loaded[0]).toBe(1)
})

test('an aborted caller terminates no thread before it has loaded', async () => {
  const pool = openSlowPool({ threads: 1, startAtOnce: 1 })
  const caller = new AbortController()
  const task = pool.run(undefined, { signal: caller.signal })
  caller.abort(new Error('the client went away'))
  await expect(task).rejects.toThrow('the client went away')
  await pool.close()
  // Its own thread, and possibly its replacement.
  expect(loaded[0]).toBeGreaterThan(0)
})

test('a loading thread with too many buffers is not terminated either', async () => {
  setEnvironmentData('bufferBytes', 2 * BUFFER_MEBIBYTES * 1024 * 1024)
  const pool = openSlowPool({ threads: 1, startAtOnce: 1 })
  await pool.run(undefined)
  expect(loaded[0]).toBeGreaterThan(0)
  await pool.close()
})

test('a thread that loads for ten seconds on a busy machine is waited for', async () => {
  vi.useFakeTimers()
  try {
    const thread = new EventEmitter()
    const pool = Object.assign(new EventEmitter(), { threads: [thread] })
    const waited = vi.fn()
    const wait = watchLoadingThreads(pool as unknown as Piscina)
      .loaded()
      .then(waited)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(waited).not.toHaveBeenCalled()
    thread.emit('message')
    await wait
  } finally {
    vi.useRealTimers()
  }
})
