// Roles start one after the other, are retried with growing pauses, and stop together within their deadline.
import type { Logger } from '#core/platform/log.ts'
import { runChecks } from '#core/platform/process/health-checks.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Loop } from '../../../../workers/runtime/loop.ts'
import { type Role, superviseRoles } from '../../../../workers/runtime/supervisor.ts'

let logged: string[]
let log: Logger
beforeEach(() => {
  vi.useFakeTimers()
  logged = []
  const write = (_fields: unknown, event: string) => void logged.push(event)
  log = { debug: write, info: write, warn: write, error: write } as unknown as Logger
})
afterEach(() => vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A loop that takes this long to end. */
function aLoop(changed: Partial<Loop> = {}, endsWithinMs = 0): Loop {
  return {
    busyForMs: () => 0,
    [Symbol.asyncDispose]: () => new Promise((resolve) => setTimeout(resolve, endsWithinMs)),
    ...changed,
  }
}

/** A role that fails this often before it starts; `tries` are the times. */
function aRole(name: string, failures = 0, loop = aLoop()): Role & { tries: number[] } {
  const tries: number[] = []
  return {
    name,
    tries,
    async start() {
      tries.push(performance.now())
      if (tries.length <= failures) throw new Error(`${name} is not there yet`)
      return loop
    },
  }
}

describe('roles', () => {
  test('start in order, each when the previous one runs', async () => {
    const [first, second] = [aRole('first', 2), aRole('second')]
    const supervisor = superviseRoles([first, second], log)
    await pass(0)
    expect((await runChecks(supervisor.ready())).checks).toEqual({
      first: { ok: false, error: 'first is not there yet' },
      second: { ok: false, error: 'not started yet' },
    })
    await pass(1_500)
    expect(await runChecks(supervisor.ready())).toMatchObject({ ok: true, status: 'ok' })
    expect(second.tries[0]).toBeGreaterThanOrEqual(first.tries[2] ?? Infinity)
    const stopped = supervisor[Symbol.asyncDispose]()
    await pass(0)
    await stopped
  })

  test('are retried with pauses of up to ten seconds, and logged once', async () => {
    const role = aRole('failing', Infinity)
    const supervisor = superviseRoles([role], log)
    await pass(40_000)
    const pauses = role.tries.slice(1).map((at, index) => Math.round(at - (role.tries[index] ?? 0)))
    expect(pauses.slice(0, 7)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
    expect(logged).toEqual(['role.not_started'])
    await supervisor[Symbol.asyncDispose]()
  })

  test('with an error that no retry can fix are reported to the process, and not retried', async () => {
    let tries = 0
    const hopeless = {
      name: 'hopeless',
      async start(): Promise<Loop> {
        tries++
        throw new StartupError('SIGNING_KEY', 'SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read.')
      },
    }
    const supervisor = superviseRoles([hopeless], log)
    await expect(supervisor.failed).rejects.toThrow('SEALWRIGHT_SIGNING_KEY_P12_FILE')
    await pass(30_000)
    expect(tries).toBe(1)
    await supervisor[Symbol.asyncDispose]()
  })

  test('show their own checks, and are stuck after ten minutes in one step', async () => {
    let busyForMs = 0
    const smtp = { ask: () => Promise.reject(new Error('no answer')), required: false }
    const supervisor = superviseRoles([aRole('mail', 0, aLoop({ busyForMs: () => busyForMs, checks: { smtp } }))], log)
    await pass(0)
    expect(await runChecks(supervisor.ready())).toMatchObject({ ok: true, status: 'degraded', checks: { smtp: { ok: false } } })
    expect((await runChecks(supervisor.alive)).ok).toBe(true)
    busyForMs = 10 * 60_000 + 1
    expect(await runChecks(supervisor.alive)).toMatchObject({
      ok: false,
      checks: { mail: { error: 'at one piece of work for 600 s' } },
    })
    const stopped = supervisor[Symbol.asyncDispose]()
    await pass(0)
    await stopped
  })
})

describe('a stop', () => {
  test('waits for all of them concurrently', async () => {
    const supervisor = superviseRoles([aRole('a', 0, aLoop({}, 6_000)), aRole('b', 0, aLoop({}, 7_000))], log)
    await pass(0)
    let isOver = false
    const stopped = supervisor[Symbol.asyncDispose]().then(() => (isOver = true))
    await pass(6_900)
    expect(isOver).toBe(false)
    await pass(200)
    expect(isOver).toBe(true)
    expect(logged).not.toContain('role.drain_timed_out')
    await stopped
  })

  test('abandons after ten seconds what still runs, releases its leases, and reports it', async () => {
    const releaseLease = { endless: vi.fn(async () => {}), quick: vi.fn(async () => {}) }
    const endless = aLoop({ releaseLease: releaseLease.endless }, 3_600_000)
    const supervisor = superviseRoles(
      [aRole('endless', 0, endless), aRole('quick', 0, aLoop({ releaseLease: releaseLease.quick }))],
      log,
    )
    await pass(0)
    const stopped = supervisor[Symbol.asyncDispose]()
    await pass(9_900)
    expect(releaseLease.endless).not.toHaveBeenCalled()
    await pass(100)
    await stopped
    expect(releaseLease.endless).toHaveBeenCalledOnce()
    expect(releaseLease.quick).not.toHaveBeenCalled()
    expect(logged.filter((event) => event.startsWith('role.'))).toEqual(['role.started', 'role.started', 'role.drain_timed_out'])
  })

  test.each([
    ['its own time', { needs: 16_000, most: undefined, abandonedAfter: 16_000 }],
    ['the most that the process has', { needs: 60_000, most: undefined, abandonedAfter: 18_000 }],
    ['the most that the caller has', { needs: 16_000, most: 10_000, abandonedAfter: 10_000 }],
  ])('abandons a role after %s', async (_, { needs, most, abandonedAfter }) => {
    const releaseLease = vi.fn(async () => {})
    const loop = aLoop({ finishWithinMs: needs, releaseLease }, 3_600_000)
    const supervisor = superviseRoles([aRole('endless', 0, loop)], log, most)
    await pass(0)
    const stopped = supervisor[Symbol.asyncDispose]()
    await pass(abandonedAfter - 100)
    expect(releaseLease).not.toHaveBeenCalled()
    await pass(200)
    await stopped
    expect(releaseLease).toHaveBeenCalledOnce()
  })

  test.each([
    ['takes too long', () => new Promise<void>(() => {})],
    ['fails', () => Promise.reject(new Error('the database is away'))],
  ])('ends three seconds later at the latest when handing back %s', async (_, releaseLease) => {
    const supervisor = superviseRoles([aRole('endless', 0, aLoop({ releaseLease }, 3_600_000))], log)
    await pass(0)
    const stopped = supervisor[Symbol.asyncDispose]()
    await pass(13_000)
    await stopped
    expect(logged).toEqual(['role.started', 'role.drain_timed_out', 'role.lease_not_released'])
  })

  test('disposes of a role that starts meanwhile, without delaying the others', async () => {
    const ended: string[] = []
    const endingLoop = (name: string): Loop => aLoop({ [Symbol.asyncDispose]: async () => void ended.push(name) })
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const slow: Role = { name: 'slow', start: () => opened.then(() => endingLoop('slow')) }
    const last = aRole('last')
    const supervisor = superviseRoles([aRole('quick', 0, endingLoop('quick')), slow, last], log)
    await pass(0)
    const stopped = supervisor[Symbol.asyncDispose]()
    await pass(0)
    expect(ended).toEqual(['quick'])
    open()
    await stopped
    expect(ended).toEqual(['quick', 'slow'])
    expect(logged.filter((event) => event === 'role.started')).toHaveLength(1)
    expect(last.tries).toEqual([])
  })

  test('reaches a role that is about to start, and what the role throws then is not an error', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    let isAtWork = false
    const slow: Role = {
      name: 'slow',
      async start(signal) {
        await opened
        signal.throwIfAborted()
        isAtWork = true
        return aLoop()
      },
    }
    const supervisor = superviseRoles([slow], log)
    const stopped = supervisor[Symbol.asyncDispose]()
    open()
    await pass(0)
    await stopped
    expect(isAtWork).toBe(false)
    expect(logged).toEqual([])
  })

  test('ends a start that is being retried', async () => {
    const role = aRole('failing', Infinity)
    const supervisor = superviseRoles([role], log)
    await pass(600)
    await supervisor[Symbol.asyncDispose]()
    const { length } = role.tries
    await pass(60_000)
    expect(role.tries).toHaveLength(length)
  })
})
