// A lost thread affects only the task that lost it.
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { threadPoolTasks } from '#core/platform/metrics/metrics.ts'
import { openThreadPool, type ThreadPool, type ThreadPoolOptions } from '#core/platform/threads/thread-pool.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { UnrulyAnswer, UnrulyTask } from '../../../../support/faults/misbehaving-thread.ts'

type Pool = ThreadPool<UnrulyTask, UnrulyAnswer>

const opened: Pool[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()))
})

function openPool(options: Partial<ThreadPoolOptions> = {}): Pool {
  const module = new URL('../../../../support/faults/misbehaving-thread.ts', import.meta.url)
  const pool: Pool = openThreadPool({
    pool: 'inspection',
    module,
    functionName: 'run',
    threads: 1,
    maxWaiting: 4,
    limitSeconds: 10,
    heapMebibytes: 64,
    bufferMebibytes: 128,
    ...options,
  })
  opened.push(pool)
  return pool
}

async function tasksCounted(pool: ThreadPoolOptions['pool'], outcome: string): Promise<number> {
  const { values } = await threadPoolTasks.get()
  return values.find(({ labels }) => labels.pool === pool && labels.outcome === outcome)?.value ?? 0
}

const LOST = { finished: false }
const ANSWERED = expect.objectContaining({ finished: true })

describe('a task that hangs', () => {
  test('is terminated at its limit, and the next task runs on a new thread', async () => {
    const pool = openPool({ limitSeconds: 2 })
    const before = await pool.run('answer')
    const hung = pool.run('hang')
    const next = pool.run('answer')
    expect(await hung).toEqual(LOST)
    const after = await next
    expect([before, after]).toEqual([ANSWERED, ANSWERED])
    expect(before.finished && after.finished && before.answer.thread !== after.answer.thread).toBe(true)
  })

  test('does not affect other tasks', async () => {
    const pool = openPool({ threads: 2, limitSeconds: 30 })
    const caller = new AbortController()
    const hung = pool.run('hang', { signal: caller.signal })
    const neighbours = Array.from({ length: 4 }, () => pool.run({ busyMilliseconds: 100 }))
    const first = await Promise.race([hung, Promise.all(neighbours)])
    expect(first).toEqual(neighbours.map(() => ANSWERED))
    caller.abort(new Error('enough'))
    await expect(hung).rejects.toThrow('enough')
  })

  test('is terminated when its caller aborts', async () => {
    const pool = openPool()
    const caller = new AbortController()
    const hung = pool.run('hang', { signal: caller.signal })
    caller.abort(new Error('the client went away'))
    await expect(hung).rejects.toThrow('the client went away')
    expect(await pool.run('answer')).toEqual(ANSWERED)
  })
})

test('a pool starts more threads when the initial ones are busy', async () => {
  const pool = openPool({ threads: 2, startAtOnce: 1 })
  const first = await pool.run('answer')
  expect(await pool.run('answer')).toEqual(first)
  const caller = new AbortController()
  const hung = pool.run('hang', { signal: caller.signal })
  const beside = await pool.run('answer')
  expect(beside).toEqual(ANSWERED)
  expect(beside).not.toEqual(first)
  caller.abort(new Error('enough'))
  await expect(hung).rejects.toThrow('enough')
})

test('a pool without initial threads starts one with the first task', async () => {
  const lazy = openPool({ startAtOnce: 0 })
  const eager = openPool()
  const [other, own] = [await eager.run('answer'), await lazy.run('answer')]
  // Threads are numbered as they start.
  expect(own.finished && other.finished && own.answer.thread > other.answer.thread).toBe(true)
})

test('the waiting time of a task does not count towards its limit', async () => {
  const pool = openPool({ limitSeconds: 2 })
  const tasks = Array.from({ length: 4 }, () => pool.run({ busyMilliseconds: 700 }))
  expect(await Promise.all(tasks)).toEqual(tasks.map(() => ANSWERED))
})

test('a task that takes all memory affects only its thread', async () => {
  const pool = openPool()
  expect(await pool.run('hoard')).toEqual(LOST)
  expect(await pool.run('answer')).toEqual(ANSWERED)
})

describe('a task that hoards buffers, which the heap limit does not cover,', () => {
  test('is terminated, and the next task runs on a new thread', async () => {
    const pool = openPool({ limitSeconds: 60 })
    const before = await pool.run('answer')
    expect(await pool.run('hoard buffers')).toEqual(LOST)
    const after = await pool.run('answer')
    expect(after).toEqual(ANSWERED)
    expect(before.finished && after.finished && before.answer.thread !== after.answer.thread).toBe(true)
  })

  test('does not affect other tasks', async () => {
    const pool = openPool({ threads: 2, limitSeconds: 60 })
    await pool.run('answer')
    const neighbour = pool.run({ busyMilliseconds: 3_000, bufferMebibytes: 100 })
    expect(await pool.run('hoard buffers')).toEqual(LOST)
    const beside = await Promise.all([pool.run('answer'), pool.run('answer')])
    expect([await neighbour, ...beside]).toEqual([ANSWERED, ANSWERED, ANSWERED])
  })

  test('is counted as lost', async () => {
    const lost = await tasksCounted('drawing', 'lost')
    await openPool({ pool: 'drawing' }).run('hoard buffers')
    expect((await tasksCounted('drawing', 'lost')) - lost).toBe(1)
  })
})

describe('the buffers of threads', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers().restoreAllMocks())

  test('are polled while tasks run, and without a timer when none does', async () => {
    const pollTimer = vi.spyOn(Worker.prototype, 'getHeapStatistics')
    const looked = () => {
      vi.advanceTimersByTime(100)
      return pollTimer.mock.calls.length
    }
    const pool = openPool()
    const caller = new AbortController()
    const hung = pool.run('hang', { signal: caller.signal })
    await expect.poll(looked).toBeGreaterThan(0)
    caller.abort(new Error('enough'))
    await expect(hung).rejects.toThrow('enough')
    const before = pollTimer.mock.calls.length
    expect(looked()).toBe(before)
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('a closing pool gives a hanging task five seconds, and rejects waiting ones at once', async () => {
  const pool = openPool({ limitSeconds: 60 })
  const hung = pool.run('hang')
  const waiting = pool.run('answer')
  const startedAt = performance.now()
  const [first] = await Promise.allSettled([waiting, pool.close(), hung])
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } })
  await expect(hung).rejects.toThrow('Terminating worker thread')
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})

test('a task that throws rejects and keeps the thread', async () => {
  const pool = openPool()
  const before = await pool.run('answer')
  await expect(pool.run('fail')).rejects.toThrow('the task failed')
  expect(await pool.run('answer')).toEqual(before)
})

test('a thread that exits rejects its task and is replaced', async () => {
  const pool = openPool()
  await expect(pool.run('exit')).rejects.toThrow('worker exited with code: 3')
  expect(await pool.run('answer')).toEqual(ANSWERED)
})

test('a thread sees only the compile cache folder of the environment', async () => {
  const outcome = await openPool().run('answer')
  expect(outcome).toMatchObject({ answer: { environment: getCompileCacheDir() ? ['NODE_COMPILE_CACHE'] : [] } })
})

test('a prepared task is not prepared while it waits, nor when it is rejected', async () => {
  const pool = openPool({ maxWaiting: 1 })
  const caller = new AbortController()
  const hung = pool.run('hang', { signal: caller.signal })
  const prepare = vi.fn(async () => ({ task: 'answer', given: [] }) as const)
  const waiting = pool.prepareAndRun(prepare)
  await expect(pool.prepareAndRun(prepare)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(prepare).not.toHaveBeenCalled()
  caller.abort(new Error('enough'))
  await expect(hung).rejects.toThrow('enough')
  expect(await waiting).toEqual(ANSWERED)
})

test('only a task that finds the queue full is counted as refused, not an aborted one nor one that the close rejects', async () => {
  const refused = () => tasksCounted('report', 'refused')
  const before = await refused()
  const pool = openPool({ pool: 'report', maxWaiting: 1 })
  const [running, waiting] = [new AbortController(), new AbortController()]
  const hung = pool.run('hang', { signal: running.signal })
  const left = pool.run('answer', { signal: waiting.signal })
  waiting.abort(new Error('the client went away'))
  await expect(left).rejects.toThrow('the client went away')
  const sentAway = pool.run('answer')
  await expect(pool.run('answer')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const closed = pool.close()
  await expect(sentAway).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(pool.run('answer')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((await refused()) - before).toBe(1)
  running.abort(new Error('enough'))
  await expect(hung).rejects.toThrow('enough')
  await closed
})

test('a task that fails in preparation releases its place', async () => {
  const pool = openPool()
  await expect(pool.prepareAndRun(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await pool.run('answer')).toEqual(ANSWERED)
})
