import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Looks, startLooks } from '../../../../workers/runtime/poll-timer.ts'

const POLL_MS = 2_000

let looks: Looks

beforeEach(() => {
  // Not `performance`: a timer goes by a coarser clock, and fires a little early by this one.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  looks = startLooks(POLL_MS)
})
afterEach(() => {
  looks.stop()
  vi.useRealTimers()
})

/** A lane that listens until it is woken. */
function listen(): Promise<void> {
  return looks.until(new AbortController().signal, async (woken) => {
    await new Promise((resolve) => woken.addEventListener('abort', resolve, { once: true }))
  })
}

test('one that is woken by the clock is to look, and not to wait for another round', async () => {
  expect(looks.isDue()).toBe(true)
  looks.tell(false)
  expect(looks.isDue()).toBe(false)
  const woken = listen()
  await vi.advanceTimersByTimeAsync(POLL_MS)
  await woken
  expect(looks.isDue()).toBe(true)
})

test('whoever finds something has all of them look, until one finds nothing', async () => {
  looks.tell(false)
  const woken = Promise.all([listen(), listen()])
  looks.tell(true)
  await woken
  expect(looks.isDue()).toBe(true)
  looks.tell(false)
  expect(looks.isDue()).toBe(false)
})
