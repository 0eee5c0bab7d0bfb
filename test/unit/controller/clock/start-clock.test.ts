import type { Logger } from '#core/platform/log.ts'
import { register } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ClockJob, startClock } from '../../../../controller/clock/start-clock.ts'

let endings: AsyncDisposableStack

beforeEach(() => {
  vi.useFakeTimers()
  endings = new AsyncDisposableStack()
})
afterEach(async () => {
  await endings.disposeAsync()
  vi.useRealTimers()
  vi.clearAllMocks()
})

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() } as unknown as Logger
const start = (...jobs: ClockJob[]) => endings.use(startClock(jobs, log))
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

/** A job whose batches process these numbers, and nothing after that. */
function jobOf(batches: number[], everySeconds = 10) {
  return { name: 'sweep', everySeconds, run: vi.fn(async () => batches.shift() ?? 0) }
}

const linesOf = async (sweep: string) =>
  (await register.metrics()).split('\n').filter((line) => line.includes(`{sweep="${sweep}"`))

describe('the clock', () => {
  test('runs each job at its own interval', async () => {
    const often = jobOf([], 10)
    const rare = jobOf([], 25)
    start(often, rare)
    await pass(9.999)
    expect(often.run).not.toHaveBeenCalled()
    await pass(0.001)
    expect([often.run.mock.calls.length, rare.run.mock.calls.length]).toEqual([1, 0])
    await pass(40)
    expect([often.run.mock.calls.length, rare.run.mock.calls.length]).toEqual([5, 2])
  })

  test('continues at once as long as a batch has found something, and logs the sum once', async () => {
    const job = jobOf([500, 500, 20])
    start(job)
    await pass(10)
    expect(job.run).toHaveBeenCalledTimes(4)
    expect(log.info).toHaveBeenCalledExactlyOnceWith({ sweep: 'sweep', count: 1_020, durationMs: 0 }, 'sweep.completed')
  })

  test('reports a batch that does not return as stuck, and still ends after ten seconds', async () => {
    const clock = startClock([{ name: 'sweep', everySeconds: 10, run: () => new Promise<never>(() => {}) }], log)
    await pass(10 + 599)
    await expect(clock.alive['clock']?.ask()).resolves.toBeUndefined()
    await pass(2)
    await expect(clock.alive['clock']?.ask()).rejects.toThrow(/^sweep: at one batch for 601 s$/)
    let ended = false
    const ending = clock[Symbol.asyncDispose]().then(() => (ended = true))
    await pass(9)
    expect(ended).toBe(false)
    await pass(1)
    await expect(ending).resolves.toBe(true)
  })

  test('logs nothing when there was nothing to do', async () => {
    start(jobOf([]))
    await pass(30)
    expect(log.info).not.toHaveBeenCalled()
  })

  test('starts no run before the last one of the same job has ended', async () => {
    const held = Promise.withResolvers<number>()
    const slow = { name: 'slow', everySeconds: 10, run: vi.fn(() => held.promise) }
    const other = jobOf([])
    start(slow, other)
    await pass(55)
    expect([slow.run.mock.calls.length, other.run.mock.calls.length]).toEqual([1, 5])
    held.resolve(0)
    await pass(5)
    expect(slow.run).toHaveBeenCalledTimes(2)
  })

  test('logs a failed run and retries it at the next interval', async () => {
    const error = new Error('no database')
    const job = jobOf([1])
    job.run.mockRejectedValueOnce(error)
    start(job)
    await pass(10)
    expect(log.error).toHaveBeenCalledExactlyOnceWith({ err: error, sweep: 'sweep' }, 'sweep.failed')
    await pass(9.999)
    expect(job.run).toHaveBeenCalledTimes(1)
    await pass(0.001)
    expect(log.info).toHaveBeenCalledExactlyOnceWith({ sweep: 'sweep', count: 1, durationMs: 0 }, 'sweep.completed')
  })

  test('counts its runs by outcome, and the processed items', async () => {
    vi.setSystemTime('2026-11-23T12:00:00Z')
    const job = { ...jobOf([500, 20]), name: 'counted' }
    start(job)
    expect(await linesOf('counted')).toEqual([
      'sealwright_sweep_runs_total{sweep="counted",outcome="done"} 0',
      'sealwright_sweep_runs_total{sweep="counted",outcome="failed"} 0',
    ])
    await pass(10)
    job.run.mockRejectedValueOnce(new Error('no database'))
    await pass(20)
    expect(await linesOf('counted')).toEqual([
      'sealwright_sweep_runs_total{sweep="counted",outcome="done"} 2',
      'sealwright_sweep_runs_total{sweep="counted",outcome="failed"} 1',
      'sealwright_sweep_rows_total{sweep="counted"} 520',
      `sealwright_sweep_last_success_timestamp_seconds{sweep="counted"} ${Date.parse('2026-11-23T12:00:30Z') / 1000}`,
    ])
  })

  test('does not run continuously at an interval longer than a timer can take', async () => {
    const job = jobOf([], 30 * 86_400)
    start(job)
    await pass(1)
    expect(job.run).not.toHaveBeenCalled()
    await pass(30 * 86_400)
    expect(job.run).toHaveBeenCalledTimes(1)
  })
})

describe('a disposed clock', () => {
  test('runs no more', async () => {
    const job = jobOf([])
    await start(job)[Symbol.asyncDispose]()
    await pass(100)
    expect(job.run).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('waits for the running batch and starts no other, however much is left', async () => {
    const held = Promise.withResolvers<number>()
    const job = { name: 'backlog', everySeconds: 10, run: vi.fn(() => held.promise) }
    const clock = start(job)
    await pass(10)
    let ended = false
    const disposed = clock[Symbol.asyncDispose]().then(() => (ended = true))
    await pass(6)
    expect(ended).toBe(false)
    held.resolve(500)
    job.run.mockResolvedValue(0)
    await disposed
    expect(job.run).toHaveBeenCalledTimes(1)
    expect(log.info).toHaveBeenCalledExactlyOnceWith({ sweep: 'backlog', count: 500, durationMs: 6_000 }, 'sweep.completed')
  })

  test('ends although a batch fails', async () => {
    const held = Promise.withResolvers<number>()
    const clock = start({ name: 'failing', everySeconds: 10, run: () => held.promise })
    await pass(10)
    const disposed = clock[Symbol.asyncDispose]()
    held.reject(new Error('x'))
    await disposed
    expect(log.error).toHaveBeenCalledOnce()
  })
})
