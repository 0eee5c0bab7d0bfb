import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PollTimer, startPollTimer } from '../../../../workers/runtime/poll-timer.ts'

const POLL_MS = 2_000

let pollTimer: PollTimer

beforeEach(() => {
  // Not `performance`: a timer goes by a coarser clock, and fires a little early by this one.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  pollTimer = startPollTimer(POLL_MS)
})
afterEach(() => {
  pollTimer.stop()
  vi.useRealTimers()
})

/** A lane that listens until it is woken. */
function listen(): Promise<void> {
  return pollTimer.until(new AbortController().signal, async (woken) => {
    await new Promise((resolve) => woken.addEventListener('abort', resolve, { once: true }))
  })
}

test('one that is woken by the clock is to look, and not to wait for another round', async () => {
  expect(pollTimer.isDue()).toBe(true)
  pollTimer.tell(false)
  expect(pollTimer.isDue()).toBe(false)
  const woken = listen()
  await vi.advanceTimersByTimeAsync(POLL_MS)
  await woken
  expect(pollTimer.isDue()).toBe(true)
})

test('whoever finds something has all of them look, until one finds nothing', async () => {
  pollTimer.tell(false)
  const woken = Promise.all([listen(), listen()])
  pollTimer.tell(true)
  await woken
  expect(pollTimer.isDue()).toBe(true)
  pollTimer.tell(false)
  expect(pollTimer.isDue()).toBe(false)
})
