import type { StorelessCore } from '#core/context.ts'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startRelay } from '../../../../workers/relay/start-relay.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A Postgres without a free connection, neither to listen nor to poll. */
function crowdedOut() {
  const full = () => Promise.reject(Object.assign(new Error('too many clients'), { code: '53300' }))
  const pollTimer = vi.fn(full)
  const core = { database: { reserve: pollTimer, begin: pollTimer, listen: full }, log: pino({ enabled: false }) }
  return { core: core as unknown as StorelessCore, pollTimer }
}

test('a relay that could not start to listen leaves no running poll', async () => {
  const { core, pollTimer } = crowdedOut()
  await expect(startRelay(core, inProcessNotifier())).rejects.toThrow('too many clients')
  const before = pollTimer.mock.calls.length
  expect(before).toBeGreaterThan(0)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pollTimer).toHaveBeenCalledTimes(before)
})
