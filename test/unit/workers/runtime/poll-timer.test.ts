import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PollTimer, startPollTimer } from '../../../../workers/runtime/poll-timer.ts'

const POLL_MS = 2_000

let pollTimer: PollTimer

beforeEach(() => {
  // Not `performance`: a timer uses a coarser clock, and fires slightly early by this one.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  pollTimer = startPollTimer(POLL_MS)
})
afterEach(() => {
  pollTimer.stop()
  vi.useRealTimers()
})

/** A loop that waits for a notification until it is woken. */
function listen(): Promise<void> {
  return pollTimer.until(new AbortController().signal, async (woken) => {
    await new Promise((resolve) => woken.addEventListener('abort', resolve, { once: true }))
  })
}

test('a loop that the timer wakes polls, and does not wait for another interval', async () => {
  expect(pollTimer.isDue()).toBe(true)
  pollTimer.report(false)
  expect(pollTimer.isDue()).toBe(false)
  const woken = listen()
  await vi.advanceTimersByTimeAsync(POLL_MS)
  await woken
  expect(pollTimer.isDue()).toBe(true)
})

test('a loop that finds work makes all of them poll, until one finds nothing', async () => {
  pollTimer.report(false)
  const woken = Promise.all([listen(), listen()])
  pollTimer.report(true)
  await woken
  expect(pollTimer.isDue()).toBe(true)
  pollTimer.report(false)
  expect(pollTimer.isDue()).toBe(false)
})
