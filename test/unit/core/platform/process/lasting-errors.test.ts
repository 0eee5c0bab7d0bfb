// How parts that fail are tried again, and how rarely that is logged.
import type { Logger } from '#core/platform/log.ts'
import { type ThrottledLog, newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { retryStart } from '#core/platform/process/retry-start.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { openMonitored } from '#core/platform/process/dependency-monitor.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

let logged: string[]
let faults: ThrottledLog
let stop: AbortController

beforeEach(() => {
  vi.useFakeTimers()
  logged = []
  const write = ({ reason }: { reason?: string }, event: string) =>
    void logged.push(reason === undefined ? event : `${event}: ${reason}`)
  faults = newThrottledLog({ debug: write, info: write, warn: write, error: write } as unknown as Logger, 'part.away')
  stop = new AbortController()
})
afterEach(() => vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const away = (sentence = 'away') => new StartupError('STORE_UNREACHABLE', sentence)
const hopeless = new StartupError('STORE_DENIED', 'hopeless')

/** Throws these one after the other, and then succeeds; `at` are the moments of the tries. */
function failing(...errors: Error[]) {
  const at: number[] = []
  const attempt = async (): Promise<void> => {
    at.push(performance.now())
    const error = errors[at.length - 1]
    if (error) throw error
  }
  return { attempt, pauses: () => at.slice(1).map((each, index) => Math.round(each - (at[index] ?? 0))), tries: () => at.length }
}

describe('faults that last', () => {
  test('are logged when they are new, when they change, and once a minute', async () => {
    expect(faults.report('a')).toBe(true)
    expect(faults.report('a')).toBe(false)
    expect(faults.report('b')).toBe(true)
    await pass(59_000)
    expect(faults.report('b')).toBe(false)
    await pass(1_000)
    expect(faults.report('b')).toBe(true)
    faults.recovered()
    faults.recovered()
    expect(logged).toEqual(['part.away: a', 'part.away: b', 'part.away: b', 'part.away.resolved'])
  })

  test('that come and go with every try are logged once a minute', async () => {
    for (let seconds = 0; seconds < 120; seconds++) {
      faults.report('flaps')
      faults.recovered()
      await pass(1_000)
    }
    expect(logged).toEqual(['part.away: flaps', 'part.away.resolved', 'part.away: flaps', 'part.away.resolved'])
  })
})

describe('a start that waits', () => {
  test('tries ever later, up to five seconds, until it succeeds', async () => {
    const { attempt, pauses } = failing(...Array.from({ length: 8 }, () => away()))
    const done = retryStart(attempt, faults, stop.signal)
    await pass(60_000)
    await done
    expect(pauses()).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
    expect(logged).toEqual(['part.away: away', 'part.away.resolved'])
  })

  test.each([hopeless, new Error('a fault of ours')])('ends with %s', async (error) => {
    const { attempt, tries } = failing(away(), error)
    const done = expect(retryStart(attempt, faults, stop.signal)).rejects.toBe(error)
    await pass(1_000)
    await done
    expect(tries()).toBe(2)
  })

  test('tells no fault of what is closed when it ends', async () => {
    const asked = Promise.withResolvers<void>()
    const done = retryStart(() => asked.promise, faults, stop.signal)
    stop.abort()
    asked.reject(away('closed'))
    await expect(done).rejects.toBe(stop.signal.reason)
    expect(logged).toEqual([])
  })

  test('ends when it is asked to stop', async () => {
    const { attempt, tries } = failing(away(), away(), away())
    const done = expect(retryStart(attempt, faults, stop.signal)).rejects.toBe(stop.signal.reason)
    await pass(300)
    stop.abort()
    await expect(done).rejects.toThrow()
    await pass(60_000)
    expect(tries()).toBe(2)
  })
})

describe('a part that is gone on without', () => {
  test('is tried until it works, and tells meanwhile what is wrong', async () => {
    const { attempt, pauses } = failing(away('first'), away('second'), hopeless)
    const part = await openMonitored(attempt, faults)
    expect(part.lastError()).toBe('first')
    await pass(250)
    expect(part.lastError()).toBe('second')
    await pass(500)
    // Too late to end the process for it.
    expect(part.lastError()).toBe('hopeless')
    await pass(1_000)
    expect(part.lastError()).toBe(undefined)
    expect(pauses()).toEqual([250, 500, 1_000])
    expect(logged).toEqual(['part.away: first', 'part.away: second', 'part.away: hopeless', 'part.away.resolved'])
  })

  test.each([hopeless, new Error('a fault of ours')])('ends a start with %s', async (error) => {
    await expect(openMonitored(failing(error).attempt, faults)).rejects.toBe(error)
  })

  test('is tried again when it fails in use, by one try at a time', async () => {
    const { attempt, tries } = failing()
    const part = await openMonitored(attempt, faults)
    part.failed('lost')
    part.failed('another word for it')
    expect(part.lastError()).toBe('lost')
    await pass(60_000)
    expect(part.lastError()).toBe(undefined)
    expect(tries()).toBe(2)
    expect(logged).toEqual(['part.away: lost', 'part.away.resolved'])
  })

  test('is let go within two seconds, whatever a try still waits for', async () => {
    const { promise: never } = Promise.withResolvers<void>()
    const part = await openMonitored(vi.fn<() => Promise<void>>().mockResolvedValueOnce().mockReturnValue(never), faults)
    part.failed('lost')
    await pass(300)
    const ended = part[Symbol.asyncDispose]()
    await pass(2_000)
    await ended
    part.failed('again')
    expect(part.lastError()).toBe('lost')
  })
})
