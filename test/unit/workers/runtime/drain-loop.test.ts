import type { Logger } from '#core/platform/log.ts'
import { fc, runs } from '../../../support/builders/properties.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type DrainLoop, type DrainLoopOptions, startDrainLoop } from '../../../../workers/runtime/drain-loop.ts'

const POLL_MS = 2_000

let endings: AsyncDisposableStack

beforeEach(() => {
  vi.useFakeTimers()
  endings = new AsyncDisposableStack()
})
afterEach(async () => {
  await endings.disposeAsync()
  vi.useRealTimers()
})

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() } as unknown as Logger
const start = (options: Partial<DrainLoopOptions> & Pick<DrainLoopOptions, 'step'>): DrainLoop =>
  endings.use(startDrainLoop({ name: 'test', pollMs: POLL_MS, restMs: 0, concurrency: 1, log, ...options }))

/** Advances the time and runs everything that is due. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A loop whose steps the test controls: each waits for its result. */
function startHeld(concurrency = 1) {
  const running: PromiseWithResolvers<boolean>[] = []
  let started = 0
  let released = false
  const loop = start({
    concurrency,
    step: () => {
      started++
      const held = Promise.withResolvers<boolean>()
      if (released) held.resolve(false)
      else running.push(held)
      return held.promise
    },
  })
  endings.defer(() => {
    released = true
    for (const { resolve } of running) resolve(false)
  })
  return {
    loop,
    started: () => started,
    /** Ends the step that has run longest, or the one at this place in the order of their starts. */
    async finish(worked: boolean, at = 0): Promise<void> {
      running.splice(at, 1)[0]!.resolve(worked)
      await pass(0)
    },
    async fail(error: Error): Promise<void> {
      running.shift()!.reject(error)
      await pass(0)
    },
  }
}

/** Whether the promise has settled after everything that is due now. */
async function hasSettled(promise: PromiseLike<unknown>): Promise<boolean> {
  let settled = false
  void promise.then(() => (settled = true))
  await pass(0)
  return settled
}

describe('a drain loop', () => {
  test('runs a step at once, and then at every poll', async () => {
    const step = vi.fn(async () => false)
    start({ step })
    await pass(0)
    expect(step).toHaveBeenCalledTimes(1)
    await pass(POLL_MS - 1)
    expect(step).toHaveBeenCalledTimes(1)
    await pass(1)
    expect(step).toHaveBeenCalledTimes(2)
    await pass(3 * POLL_MS)
    expect(step).toHaveBeenCalledTimes(5)
  })

  test('continues without a pause as long as it finds work', async () => {
    let left = 100
    const step = vi.fn(async () => left-- > 0)
    start({ step, restMs: 20 })
    await pass(0)
    expect(step).toHaveBeenCalledTimes(101)
  })

  test('runs a step at once when it is notified', async () => {
    const step = vi.fn(async () => false)
    const loop = start({ step })
    await pass(500)
    loop.notify()
    await pass(0)
    expect(step).toHaveBeenCalledTimes(2)
    await pass(POLL_MS - 1)
    expect(step).toHaveBeenCalledTimes(2)
  })

  test('runs another step when notified during one: new work does not wait for the poll', async () => {
    const { loop, ...steps } = startHeld()
    await pass(0)
    loop.notify()
    loop.notify()
    loop.notify()
    expect(steps.started()).toBe(1)
    await steps.finish(false)
    expect(steps.started()).toBe(2)
    await steps.finish(false)
    expect(steps.started()).toBe(2)
  })

  test('pauses after a step, and handles all notifications of that time with one step', async () => {
    const step = vi.fn(async () => false)
    const loop = start({ step, restMs: 20 })
    await pass(0)
    for (const ms of [1, 5, 13]) {
      await pass(ms)
      loop.notify()
    }
    expect(step).toHaveBeenCalledTimes(1)
    await pass(1)
    expect(step).toHaveBeenCalledTimes(2)
    await pass(100)
    expect(step).toHaveBeenCalledTimes(2)
    loop.notify()
    await pass(0)
    expect(step).toHaveBeenCalledTimes(3)
  })

  test('loses no notification, at any time', async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 30 }),
        async (times, concurrency, stepMs) => {
          let waiting = 0
          let done = 0
          const step = async () => {
            const found = waiting > 0
            if (found) waiting--
            await new Promise((resolve) => setTimeout(resolve, stepMs))
            if (found) done++
            return found
          }
          const loop = start({ step, concurrency, pollMs: 1_000_000 })
          for (const at of times) {
            setTimeout(() => {
              waiting++
              loop.notify()
            }, at)
          }
          await pass(300 + (stepMs + 1) * (times.length + 2))
          expect([waiting, done]).toEqual([0, times.length])
        },
      ),
      { numRuns: runs(30) },
    )
  })
})

describe('a step that fails', () => {
  test('is logged, retried after a growing pause, and the pause is short again after a success', async () => {
    const error = new Error('no database')
    const step = vi.fn((): Promise<boolean> => Promise.reject(error))
    start({ step })
    const pauses = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]
    for (const [tries, pauseMs] of pauses.entries()) {
      await pass(tries === 0 ? 0 : 1)
      expect(step).toHaveBeenCalledTimes(tries + 1)
      expect(log.error).toHaveBeenLastCalledWith({ err: error, loop: 'test', pauseMs }, 'loop.failed')
      await pass(pauseMs - 1)
      expect(step).toHaveBeenCalledTimes(tries + 1)
    }
    step.mockResolvedValueOnce(true)
    await pass(1)
    expect(log.error).toHaveBeenLastCalledWith({ err: error, loop: 'test', pauseMs: 250 }, 'loop.failed')
  })

  test('does not end the loop, also when it throws synchronously', async () => {
    const step = vi.fn((): Promise<boolean> => {
      throw new Error('at once')
    })
    start({ step })
    await pass(250)
    expect(step).toHaveBeenCalledTimes(2)
  })

  test('is not retried sooner because of a notification, which is handled after the pause', async () => {
    const step = vi.fn(async () => false)
    step.mockRejectedValueOnce(new Error('once'))
    const loop = start({ step })
    await pass(100)
    loop.notify()
    await pass(149)
    expect(step).toHaveBeenCalledTimes(1)
    await pass(1)
    expect(step).toHaveBeenCalledTimes(2)
  })

  test('leaves the other loops running', async () => {
    const steps = startHeld(2)
    await steps.fail(new Error('one loop'))
    await steps.finish(true)
    expect(steps.started()).toBe(3)
  })
})

describe('a loop that is disposed', () => {
  test('waits for the running step and starts no other, although there is work and a notification', async () => {
    const { loop, ...steps } = startHeld()
    const disposed = loop[Symbol.asyncDispose]()
    loop.notify()
    expect(await hasSettled(disposed)).toBe(false)
    await steps.finish(true)
    expect(await hasSettled(disposed)).toBe(true)
    await pass(10 * POLL_MS)
    expect(steps.started()).toBe(1)
  })

  test('ends at once while it sleeps', async () => {
    const step = vi.fn(async () => false)
    const loop = start({ step, concurrency: 3 })
    await pass(10)
    expect(await hasSettled(loop[Symbol.asyncDispose]())).toBe(true)
    loop.notify()
    await pass(POLL_MS)
    expect(step).toHaveBeenCalledTimes(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends at once in the pause after a failure', async () => {
    const step = vi.fn((): Promise<boolean> => Promise.reject(new Error('x')))
    const loop = start({ step })
    await pass(10)
    expect(await hasSettled(loop[Symbol.asyncDispose]())).toBe(true)
    expect(step).toHaveBeenCalledTimes(1)
  })

  test('does not begin a pause when its last step fails', async () => {
    const { loop, ...steps } = startHeld()
    const disposed = loop[Symbol.asyncDispose]()
    await steps.fail(new Error('no database'))
    expect(await hasSettled(disposed)).toBe(true)
    expect(log.error).toHaveBeenLastCalledWith(expect.objectContaining({ loop: 'test' }), 'loop.failed')
  })
})

describe('concurrency', () => {
  test('runs as many steps at a time as configured, and no more', async () => {
    const { loop, ...steps } = startHeld(3)
    loop.notify()
    await pass(POLL_MS)
    expect(steps.started()).toBe(3)
    await steps.finish(true)
    expect(steps.started()).toBe(4)
  })

  test('spreads several notifications over idle loops', async () => {
    const { loop, ...steps } = startHeld(3)
    for (let loop = 0; loop < 3; loop++) await steps.finish(false)
    loop.notify()
    loop.notify()
    await pass(0)
    expect(steps.started()).toBe(5)
    loop.notify()
    await pass(0)
    expect(steps.started()).toBe(6)
  })

  test('notifies sleeping loops before one that woke at its poll and is busy', async () => {
    const { loop, ...steps } = startHeld(2)
    await steps.finish(false)
    await steps.finish(false)
    await pass(POLL_MS)
    // The first loop has been running since the poll, the second one sleeps again.
    await steps.finish(false, 1)
    loop.notify()
    await pass(0)
    expect(steps.started()).toBe(5)
  })

  test('lets all busy loops run another step after a notification', async () => {
    const { loop, ...steps } = startHeld(2)
    loop.notify()
    await steps.finish(false)
    await steps.finish(false)
    expect(steps.started()).toBe(4)
  })
})
