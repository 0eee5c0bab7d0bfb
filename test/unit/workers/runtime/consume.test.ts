import type { Notifier, NotifierMessage, Verdict } from '#core/messaging/notifier.ts'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import type { Logger } from '#core/platform/log.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { startConsumer, type ConsumerOptions } from '../../../../workers/runtime/consume.ts'

const POLL_MS = 2_000
const SUBJECT = 'sealwright.seal.requested'
const Message = z.object({ n: z.number() })
type Options = ConsumerOptions<typeof Message>

let endings: AsyncDisposableStack
let notifier: Notifier

beforeEach(() => {
  vi.useFakeTimers()
  endings = new AsyncDisposableStack()
  notifier = inProcessNotifier()
})
afterEach(async () => {
  const ended = endings.disposeAsync()
  await pass(1_000) // the running job ends
  await ended
  vi.useRealTimers()
})

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() } as unknown as Logger
const start = (options: Partial<Options> & Pick<Options, 'work'>) =>
  endings.use(
    startConsumer({
      name: 'test',
      notifier,
      subject: SUBJECT,
      message: Message,
      concurrency: 1,
      pollMs: POLL_MS,
      log,
      ...options,
    }),
  )

const publish = (body: NotifierMessage['body']) =>
  notifier.publish([{ subject: SUBJECT, id: '1', body, partition: 0, traceParent: null }])
/** Advances the time and runs everything that is due. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A notifier that records how its notifications were settled. */
function recordingNotifier(): { notifier: Notifier; verdicts: Verdict[]; extensions: () => number } {
  const verdicts: Verdict[] = []
  let extensions = 0
  const inner = inProcessNotifier()
  return {
    verdicts,
    extensions: () => extensions,
    notifier: {
      publish: (messages) => inner.publish(messages),
      next: async (...args) => {
        const taken = await inner.next(...args)
        return taken && { ...taken, extend: () => void extensions++, settle: (verdict) => void verdicts.push(verdict) }
      },
    },
  }
}

describe('a loop', () => {
  test('polls at once, and then at every interval without notifications', async () => {
    const work = vi.fn(async () => false)
    start({ work })
    await pass(0)
    expect(work.mock.calls).toEqual([[undefined]])
    await pass(POLL_MS - 1)
    expect(work).toHaveBeenCalledTimes(1)
    await pass(1)
    expect(work).toHaveBeenCalledTimes(2)
  })

  test('runs a notified job at once', async () => {
    const work = vi.fn(async () => false)
    start({ work })
    await pass(100)
    await publish({ n: 7 })
    await pass(0)
    expect(work).toHaveBeenLastCalledWith({ n: 7 })
  })

  test('polls again as long as it finds work', async () => {
    let left = 50
    const work = vi.fn(async () => left-- > 0)
    start({ work })
    await pass(0)
    expect(work).toHaveBeenCalledTimes(51)
  })

  test('polls at every interval although notifications keep coming: jobs without one do not starve', async () => {
    const calls: unknown[] = []
    start({
      work: async (wanted) => {
        calls.push(wanted)
        await publish({ n: 1 })
        await new Promise((resolve) => setTimeout(resolve, 100))
        return wanted !== undefined
      },
    })
    await pass(10 * POLL_MS)
    const pollTimer = calls.filter((wanted) => wanted === undefined)
    expect(pollTimer.length).toBeGreaterThanOrEqual(9)
    expect(calls.length).toBeGreaterThan(150)
  })
})

describe('a notification', () => {
  test('is acked when its job is done, whether or not there was one', async () => {
    const watched = recordingNotifier()
    ;({ notifier } = watched)
    let found = true
    start({ work: async (wanted) => wanted !== undefined && (found = !found) })
    await publish({ n: 1 })
    await publish({ n: 2 })
    await pass(0)
    expect(watched.verdicts).toEqual([{ kind: 'ack' }, { kind: 'ack' }])
  })

  test('is nacked when its job fails, and the loop pauses', async () => {
    const watched = recordingNotifier()
    ;({ notifier } = watched)
    const work = vi.fn(async (wanted?: { n: number }): Promise<boolean> => {
      if (wanted) throw new Error('no database')
      return false
    })
    start({ work })
    await publish({ n: 1 })
    await publish({ n: 2 })
    await pass(0)
    expect(watched.verdicts).toEqual([{ kind: 'nak', seconds: 10 }])
    await pass(250)
    expect(watched.verdicts).toHaveLength(2)
  })

  test('without readable ids is terminated, without harm', async () => {
    const watched = recordingNotifier()
    ;({ notifier } = watched)
    const work = vi.fn(async () => false)
    start({ work })
    await publish({ n: 'seven' })
    await publish({ n: 8 })
    await pass(0)
    expect(watched.verdicts).toEqual([{ kind: 'term' }, { kind: 'ack' }])
    expect(work.mock.calls).toEqual([[undefined], [{ n: 8 }]])
  })

  test('is extended while its job runs, not afterwards', async () => {
    const watched = recordingNotifier()
    ;({ notifier } = watched)
    start({ work: (wanted) => new Promise((resolve) => setTimeout(() => resolve(false), wanted ? 35_000 : 0)) })
    await publish({ n: 1 })
    await pass(36_000)
    expect(watched.extensions()).toBe(3)
    await pass(60_000)
    expect(watched.extensions()).toBe(3)
  })
})

describe('several loops', () => {
  /** Endless work; returns how many jobs are running. */
  function startThree({ firstTakesMs }: { firstTakesMs: number }): () => number {
    let [begun, underWay] = [0, 0]
    start({
      concurrency: 3,
      work: async () => {
        underWay++
        await new Promise((resolve) => setTimeout(resolve, begun++ === 0 ? firstTakesMs : 50))
        underWay--
        return true
      },
    })
    return () => underWay
  }

  test('start with one, until its first job is done', async () => {
    const underWay = startThree({ firstTakesMs: 200 })
    await pass(199)
    expect(underWay()).toBe(1)
    await pass(1)
    expect(underWay()).toBe(3)
  })

  test('do not wait for a long first job', async () => {
    const underWay = startThree({ firstTakesMs: 1_500 })
    await pass(999)
    expect(underWay()).toBe(1)
    await pass(1)
    expect(underWay()).toBe(3)
  })

  test('run concurrently, as many as configured', async () => {
    const ends: (() => void)[] = []
    const work = vi.fn((wanted?: { n: number }): Promise<boolean> =>
      wanted ? new Promise((resolve) => ends.push(() => resolve(true))) : Promise.resolve(false),
    )
    start({ work, concurrency: 3 })
    await pass(0)
    for (let n = 0; n < 5; n++) await publish({ n })
    await pass(0)
    expect(ends).toHaveLength(3)
    ends[1]!()
    await pass(0)
    expect(ends).toHaveLength(4)
    for (const end of ends) end()
    await pass(0)
    for (const end of ends) end()
  })

  test('share the polls: one of them at every interval, the next one when that is busy', async () => {
    const work = vi.fn(async (wanted?: { n: number }) => {
      if (wanted) await new Promise((resolve) => setTimeout(resolve, 3 * POLL_MS))
      return false
    })
    start({ work, concurrency: 6 })
    await pass(0)
    expect(work).toHaveBeenCalledTimes(6)
    await pass(5 * POLL_MS)
    expect(work).toHaveBeenCalledTimes(11)
    await publish({ n: 1 })
    await pass(POLL_MS)
    expect(work).toHaveBeenCalledTimes(13)
    await pass(3 * POLL_MS)
  })

  test('all poll when one of them has found work', async () => {
    let left = 0
    const work = vi.fn(async () => {
      if (left === 0) return false
      left--
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return true
    })
    start({ work, concurrency: 3 })
    await pass(0)
    left = 6
    await pass(POLL_MS + 1_000)
    expect(left).toBe(2)
    await pass(1_000)
    expect(left).toBe(0)
    await pass(1_000)
  })

  test('continue to poll at every interval while one runs a long job that it found', async () => {
    let found = false
    const work = vi.fn(async () => {
      if (found || work.mock.calls.length <= 2) return false
      found = true
      await new Promise((resolve) => setTimeout(resolve, 4 * POLL_MS))
      return true
    })
    start({ work, concurrency: 2 })
    await pass(POLL_MS)
    expect([found, work.mock.calls.length]).toEqual([true, 3])
    await pass(3 * POLL_MS)
    expect(work).toHaveBeenCalledTimes(6)
    await pass(4 * POLL_MS)
  })

  test('finish running jobs and take no more when disposed', async () => {
    const end = Promise.withResolvers<boolean>()
    const work = vi.fn((wanted?: { n: number }) => (wanted ? end.promise : Promise.resolve(false)))
    const consumer = start({ work })
    await pass(0)
    await publish({ n: 1 })
    await publish({ n: 2 })
    await pass(0)
    let disposed = false
    const disposing = consumer[Symbol.asyncDispose]().then(() => (disposed = true))
    await pass(0)
    expect(disposed).toBe(false)
    end.resolve(true)
    await pass(0)
    await disposing
    expect(work.mock.calls).toEqual([[undefined], [{ n: 1 }]])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('end at once when they pause after an error', async () => {
    const consumer = start({ work: () => Promise.reject(new Error('no database')) })
    await pass(10)
    await consumer[Symbol.asyncDispose]()
    expect(vi.getTimerCount()).toBe(0)
  })
})
