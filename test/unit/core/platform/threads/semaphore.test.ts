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
  const releases: (() => void)[] = []
  const acquire = async (name: string): Promise<void> => {
    releases.push(await line.acquire())
    entered.push(name)
  }
  const all = Promise.all(['a', 'b', 'c', 'd'].map(acquire))
  await expect(line.acquire()).rejects.toThrow(FULL)
  expect(entered).toEqual(['a', 'b'])
  for (const release of releases.splice(0)) release()
  await all
  expect(entered).toEqual(['a', 'b', 'c', 'd'])
})

test('a released place without a waiting caller stays free', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 0, retryAfterSeconds: 7 })
  const release = await line.acquire()
  release()
  await line.acquire()
  await expect(line.acquire()).rejects.toThrow(FULL)
})

test('an aborted wait makes room for another', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 1, retryAfterSeconds: 7 })
  const release = await line.acquire()
  const caller = new AbortController()
  const given = line.acquire({ signal: caller.signal })
  caller.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  const next = line.acquire()
  release()
  await expect(next).resolves.toBeTypeOf('function')
})

test('a caller with an aborted signal does not enter', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 1, retryAfterSeconds: 7 })
  await expect(line.acquire({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
  await expect(line.acquire()).resolves.toBeTypeOf('function')
})

test('aborting after entering changes nothing', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 1, retryAfterSeconds: 7 })
  const first = await line.acquire()
  const caller = new AbortController()
  const second = line.acquire({ signal: caller.signal })
  first()
  const release = await second
  caller.abort(new Error('gone'))
  const third = line.acquire()
  release()
  await expect(third).resolves.toBeTypeOf('function')
})

test('aborting in the moment of entering removes no other caller', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 2, retryAfterSeconds: 7 })
  const first = await line.acquire()
  const caller = new AbortController()
  const second = line.acquire({ signal: caller.signal })
  const third = line.acquire()
  first()
  caller.abort(new Error('gone'))
  const release = await second
  release()
  await expect(third).resolves.toBeTypeOf('function')
})

test('a closing semaphore rejects waiting and new callers, and waits for those that entered', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 1, retryAfterSeconds: 7 })
  const release = await line.acquire()
  const waiting = line.acquire()
  let closed = false
  const closing = line.close().then(() => (closed = true))
  await expect(waiting).rejects.toThrow(FULL)
  await expect(line.acquire()).rejects.toThrow(FULL)
  expect(closed).toBe(false)
  release()
  await expect(closing).resolves.toBe(true)
})

test('an unused semaphore closes at once', async () => {
  await expect(openSemaphore({ places: 2, maxWaiting: 1, retryAfterSeconds: 7 }).close()).resolves.toBeUndefined()
})

test('a caller that waited too long is rejected, and the next place goes to the next caller', async () => {
  vi.useFakeTimers()
  try {
    const line = openSemaphore({ places: 1, maxWaiting: 2, waitSeconds: 30, retryAfterSeconds: 7 })
    const release = await line.acquire()
    const patient = expect(line.acquire()).rejects.toThrow(FULL)
    await vi.advanceTimersByTimeAsync(20_000)
    const next = line.acquire()
    await vi.advanceTimersByTimeAsync(10_000)
    await patient
    release()
    await expect(next).resolves.toBeTypeOf('function')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('owners take turns, whatever the number of their callers', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 9, retryAfterSeconds: 7 })
  const entered: string[] = []
  const run = async (owner: string): Promise<void> => {
    const release = await line.acquire({ owner })
    entered.push(owner)
    release()
  }
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(run))
  expect(entered.join('')).toBe('abcabaa')
})

test('an owner with all its places leaves the others to the next owner', async () => {
  const line = openSemaphore({ places: 2, placesPerOwner: 1, maxWaiting: 9, retryAfterSeconds: 7 })
  const release = await line.acquire({ owner: 'a' })
  let entered = false
  const second = line.acquire({ owner: 'a' }).then(() => (entered = true))
  await expect(line.acquire({ owner: 'b' })).resolves.toBeTypeOf('function')
  expect(entered).toBe(false)
  release()
  await expect(second).resolves.toBe(true)
})

test('only the owner whose callers are too many is refused', async () => {
  const line = openSemaphore({ places: 1, maxWaiting: 1, retryAfterSeconds: 7 })
  const release = await line.acquire({ owner: 'a' })
  const waiting = line.acquire({ owner: 'a' })
  await expect(line.acquire({ owner: 'a' })).rejects.toThrow(FULL)
  const other = line.acquire({ owner: 'b' })
  await expect(line.acquire({ owner: 'b' })).rejects.toThrow(FULL)
  release()
  const next = await other
  next()
  await expect(waiting).resolves.toBeTypeOf('function')
})
