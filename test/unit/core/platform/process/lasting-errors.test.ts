// How failed dependencies are retried, and how their errors are throttled in the log.
import type { Logger } from '#core/platform/log.ts'
import { type ThrottledLog, newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { retryStart } from '#core/platform/process/retry-start.ts'
import { StartupError } from '#core/platform/process/startup-error.ts'
import { openMonitored } from '#core/platform/process/dependency-monitor.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

let logged: string[]
let log: ThrottledLog
let stop: AbortController

beforeEach(() => {
  vi.useFakeTimers()
  logged = []
  const tell = ({ fault }: { fault?: string }, event: string) =>
    void logged.push(fault === undefined ? event : `${event}: ${fault}`)
  log = newThrottledLog({ debug: tell, info: tell, warn: tell, error: tell } as unknown as Logger, 'part.away')
  stop = new AbortController()
})
afterEach(() => vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const away = (sentence = 'away') => new StartupError('STORE_UNREACHABLE', sentence)
const hopeless = new StartupError('STORE_DENIED', 'hopeless')

/** Throws these one after the other, and then succeeds; `at` are the times of the attempts. */
function failing(...errors: Error[]) {
  const at: number[] = []
  const attempt = async (): Promise<void> => {
    at.push(performance.now())
    const error = errors[at.length - 1]
    if (error) throw error
  }
  return { attempt, pauses: () => at.slice(1).map((each, index) => Math.round(each - (at[index] ?? 0))), tries: () => at.length }
}

describe('lasting errors', () => {
  test('are logged when they are new, when they change, and once a minute', async () => {
    expect(log.report('a')).toBe(true)
    expect(log.report('a')).toBe(false)
    expect(log.report('b')).toBe(true)
    await pass(59_000)
    expect(log.report('b')).toBe(false)
    await pass(1_000)
    expect(log.report('b')).toBe(true)
    log.recovered()
    log.recovered()
    expect(logged).toEqual(['part.away: a', 'part.away: b', 'part.away: b', 'part.away.over'])
  })

  test('that come and go with every attempt are logged once a minute', async () => {
    for (let seconds = 0; seconds < 120; seconds++) {
      log.report('flaps')
      log.recovered()
      await pass(1_000)
    }
    expect(logged).toEqual(['part.away: flaps', 'part.away.over', 'part.away: flaps', 'part.away.over'])
  })
})

describe('a start that waits', () => {
  test('retries with growing pauses, up to five seconds, until it succeeds', async () => {
    const { attempt, pauses } = failing(...Array.from({ length: 8 }, () => away()))
    const done = retryStart(attempt, log, stop.signal)
    await pass(60_000)
    await done
    expect(pauses()).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
    expect(logged).toEqual(['part.away: away', 'part.away.over'])
  })

  test.each([hopeless, new Error('a bug')])('ends with %s', async (error) => {
    const { attempt, tries } = failing(away(), error)
    const done = expect(retryStart(attempt, log, stop.signal)).rejects.toBe(error)
    await pass(1_000)
    await done
    expect(tries()).toBe(2)
  })

  test('logs no error of a dependency that the shutdown closes', async () => {
    const asked = Promise.withResolvers<void>()
    const done = retryStart(() => asked.promise, log, stop.signal)
    stop.abort()
    asked.reject(away('closed'))
    await expect(done).rejects.toBe(stop.signal.reason)
    expect(logged).toEqual([])
  })

  test('ends when it is stopped', async () => {
    const { attempt, tries } = failing(away(), away(), away())
    const done = expect(retryStart(attempt, log, stop.signal)).rejects.toBe(stop.signal.reason)
    await pass(300)
    stop.abort()
    await expect(done).rejects.toThrow()
    await pass(60_000)
    expect(tries()).toBe(2)
  })
})

describe('a monitored dependency', () => {
  test('is retried until it works, and meanwhile has its last error', async () => {
    const { attempt, pauses } = failing(away('first'), away('second'), hopeless)
    const part = await openMonitored(attempt, log)
    expect(part.lastError()).toBe('first')
    await pass(250)
    expect(part.lastError()).toBe('second')
    await pass(500)
    // Too late to end the process.
    expect(part.lastError()).toBe('hopeless')
    await pass(1_000)
    expect(part.lastError()).toBe(undefined)
    expect(pauses()).toEqual([250, 500, 1_000])
    expect(logged).toEqual(['part.away: first', 'part.away: second', 'part.away: hopeless', 'part.away.over'])
  })

  test.each([hopeless, new Error('a bug')])('ends a start with %s', async (error) => {
    await expect(openMonitored(failing(error).attempt, log)).rejects.toBe(error)
  })

  test('is retried when it fails in use, one attempt at a time', async () => {
    const { attempt, tries } = failing()
    const part = await openMonitored(attempt, log)
    part.failed('lost')
    part.failed('another word for it')
    expect(part.lastError()).toBe('lost')
    await pass(60_000)
    expect(part.lastError()).toBe(undefined)
    expect(tries()).toBe(2)
    expect(logged).toEqual(['part.away: lost', 'part.away.over'])
  })

  test('is disposed within two seconds, whatever an attempt waits for', async () => {
    const { promise: never } = Promise.withResolvers<void>()
    const part = await openMonitored(vi.fn<() => Promise<void>>().mockResolvedValueOnce().mockReturnValue(never), log)
    part.failed('lost')
    await pass(300)
    const ended = part[Symbol.asyncDispose]()
    await pass(2_000)
    await ended
    part.failed('again')
    expect(part.lastError()).toBe('lost')
  })
})
