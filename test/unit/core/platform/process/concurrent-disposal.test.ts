// Concurrent disposal of real loops, with fake timers.
import { openLog } from '#core/platform/log.ts'
import { newConcurrentDisposal } from '#core/platform/process/concurrent-disposal.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startDrainLoop } from '../../../../../workers/runtime/drain-loop.ts'
import { drainWithDeadline } from '../../../../../workers/runtime/drain-with-deadline.ts'

const ALMOST_THE_GRACE_MS = 9_900
const log = openLog('silent')

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('two loops that need almost their whole grace period both finish, and take no more work', async () => {
  const pieces: string[] = []
  const work = newConcurrentDisposal()
  for (const name of ['seal', 'mail']) {
    const step = async (): Promise<boolean> => {
      pieces.push(`${name} begun`)
      await new Promise((resolve) => setTimeout(resolve, ALMOST_THE_GRACE_MS))
      pieces.push(`${name} done`)
      return true
    }
    const loop = startDrainLoop({ name, step, pollMs: 1_000, restMs: 0, concurrency: 1, log })
    work.defer(() => drainWithDeadline(name, loop, log))
  }
  await vi.advanceTimersByTimeAsync(1)
  const ended = work[Symbol.asyncDispose]()
  await vi.advanceTimersByTimeAsync(ALMOST_THE_GRACE_MS)
  await ended
  expect(pieces).toEqual(['seal begun', 'mail begun', 'seal done', 'mail done'])
})

test('an error of one disposal is thrown when all others are done', async () => {
  const ended: string[] = []
  const work = newConcurrentDisposal()
  const others = Promise.withResolvers<void>()
  work.defer(async () => {
    await others.promise
    ended.push('first')
  })
  work.defer(() => Promise.reject(new Error('the second')))
  work.use({ [Symbol.asyncDispose]: async () => void ended.push('third') })
  const over = vi.fn<(error: unknown) => void>()
  const end = Promise.resolve(work[Symbol.asyncDispose]()).catch(over)
  await vi.advanceTimersByTimeAsync(0)
  expect(over).not.toHaveBeenCalled()
  others.resolve()
  await end
  expect(over).toHaveBeenCalledExactlyOnceWith(new Error('the second'))
  expect(ended).toEqual(['third', 'first'])
})
