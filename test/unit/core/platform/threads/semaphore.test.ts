// Which callers run, wait or are rejected.
import { openSemaphore } from '#core/platform/threads/semaphore.ts'
import { expect, test, vi } from 'vitest'

const FULL = expect.objectContaining({
  name: 'DomainError',
  code: 'SERVICE_UNAVAILABLE',
  kind: 'unavailable',
  retryAfterSeconds: 7,
})

test('as many callers enter as there are places, the others in order as places become free', async () => {
  const line = openSemaphore({ places: 2, maxWaiting: 2, retryAfterSeconds: 7 })
  const entered: string[] = []
  const acquire = async (name: string): Promise<void> => {
    await line.acquire()
    entered.push(name)
  }
  const all = Promise.all(['a', 'b', 'c', 'd'].map(acquire))
  await expect(line.acquire()).rejects.toThrow(FULL)
  expect(entered).toEqual(['a', 'b'])
  line.release()
  line.release()
  await all
  expect(entered).toEqual(['a', 'b', 'c', 'd'])
})

test('a released place without a waiting caller stays free', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 0, retryAfterSeconds: 7 })
  await line.acquire()
  line.release()
  await line.acquire()
  await expect(line.acquire()).rejects.toThrow(FULL)
})

test('an aborted wait makes room for another', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 1, retryAfterSeconds: 7 })
  await line.acquire()
  const caller = new AbortController()
  const given = line.acquire(caller.signal)
  caller.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  const next = line.acquire()
  line.release()
  await expect(next).resolves.toBeUndefined()
})

test('a caller with an aborted signal does not enter', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 1, retryAfterSeconds: 7 })
  await expect(line.acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  await expect(line.acquire()).resolves.toBeUndefined()
})

test('aborting after entering changes nothing', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 1, retryAfterSeconds: 7 })
  await line.acquire()
  const caller = new AbortController()
  const second = line.acquire(caller.signal)
  line.release()
  await second
  caller.abort(new Error('gone'))
  const third = line.acquire()
  line.release()
  await expect(third).resolves.toBeUndefined()
})

test('aborting in the moment of entering removes no other caller', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 2, retryAfterSeconds: 7 })
  await line.acquire()
  const caller = new AbortController()
  const second = line.acquire(caller.signal)
  const third = line.acquire()
  line.release()
  caller.abort(new Error('gone'))
  await second
  line.release()
  await expect(third).resolves.toBeUndefined()
})

test('a closing semaphore rejects waiting and new callers, and waits for those that entered', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 1, retryAfterSeconds: 7 })
  await line.acquire()
  const waiting = line.acquire()
  let closed = false
  const closing = line.close().then(() => (closed = true))
  await expect(waiting).rejects.toThrow(FULL)
  await expect(line.acquire()).rejects.toThrow(FULL)
  expect(closed).toBe(false)
  line.release()
  await expect(closing).resolves.toBe(true)
})

test('an unused semaphore closes at once', async () => {
  await expect(openSemaphore({ places: 2, maxWaiting: 1, retryAfterSeconds: 7 }).close()).resolves.toBeUndefined()
})

test('a caller that waited too long is rejected, and the next place goes to the next caller', async () => {
  vi.useFakeTimers()
  try {
    const line = openSemaphore({ places: 1, maxWaiting: 2, waitSeconds: 30, retryAfterSeconds: 7 })
    await line.acquire()
    const patient = expect(line.acquire()).rejects.toThrow(FULL)
    await vi.advanceTimersByTimeAsync(20_000)
    const next = line.acquire()
    await vi.advanceTimersByTimeAsync(10_000)
    await patient
    line.release()
    await expect(next).resolves.toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
