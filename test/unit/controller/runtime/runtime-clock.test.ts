import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock, wait } from '../../../../controller/runtime/runtime-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const DAY_MS = 86_400_000

test('a timer of 60 days does not fire at once, and fires after 60 days', () => {
  const run = vi.fn()
  systemClock.after(60 * DAY_MS, run)
  vi.advanceTimersByTime(60 * DAY_MS - 1)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledOnce()
})

test('a disposed timer never fires, not even in its second part', () => {
  const run = vi.fn()
  const timer = systemClock.after(60 * DAY_MS, run)
  vi.advanceTimersByTime(30 * DAY_MS)
  timer[Symbol.dispose]()
  vi.advanceTimersByTime(60 * DAY_MS)
  expect(run).not.toHaveBeenCalled()
})

test('a wait ends with its time or with its signal, and leaves no timer', async () => {
  const stop = new AbortController()
  let ended = 0
  const waits = [wait(systemClock, 1000, stop.signal), wait(systemClock, DAY_MS, stop.signal)].map((each) =>
    each.then(() => (ended += 1)),
  )
  await vi.advanceTimersByTimeAsync(1000)
  expect(ended).toBe(1)
  stop.abort()
  await Promise.all(waits)
  expect(vi.getTimerCount()).toBe(0)
  await wait(systemClock, DAY_MS, stop.signal)
})
