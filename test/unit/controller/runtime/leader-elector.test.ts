import { register } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Elector, type ElectorOptions, startElector } from '../../../../controller/runtime/leader-elector.ts'
import type { Logger } from '../../../../core/platform/log.ts'
import { type FakeLeaseClient, FakeLeaseServer } from '../../../support/fake-lease-server.ts'
import { FakeRuntimeClock, settle } from '../../../support/fake-runtime-clock.ts'

const DURATION_MS = 15_000
const DEADLINE_MS = 10_000
const RETRY_MS = 2000

/** One process: its own clock, its own connection, and what it did as a leader. */
interface Candidate {
  clock: FakeRuntimeClock
  client: FakeLeaseClient
  elector: Elector
  /** Transitions of each leadership. */
  led: number[]
  /** When each leadership had to end, by its clock. */
  endedAt: number[]
}

let server: FakeLeaseServer
let candidates: Candidate[]
const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() } as unknown as Logger

beforeEach(() => {
  vi.clearAllMocks()
  server = new FakeLeaseServer()
  candidates = []
})
afterEach(async () => {
  for (const { clock, client, elector } of candidates) {
    client.resume()
    const stopped = elector[Symbol.asyncDispose]()
    await clock.advance(60_000)
    await stopped
  }
})

async function join(identity: string, options: Partial<ElectorOptions> = {}): Promise<Candidate> {
  const clock = new FakeRuntimeClock()
  const client = server.client(identity)
  const led: number[] = []
  const endedAt: number[] = []
  const elector = startElector({
    kube: { lease: client },
    namespace: 'ns',
    name: 'sealwright-controller',
    identity,
    durationMs: DURATION_MS,
    renewDeadlineMs: DEADLINE_MS,
    retryPeriodMs: RETRY_MS,
    clock,
    log,
    random: () => 0,
    lead: async (signal, transitions) => {
      led.push(transitions)
      await aborted(signal)
      endedAt.push(clock.elapsedMs())
    },
    ...options,
  })
  const candidate = { clock, client, elector, led, endedAt }
  candidates.push(candidate)
  await settle()
  return candidate
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })

/** Time passes in all processes alike. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500)
    for (const { clock } of candidates) await clock.advance(Math.min(500, ms - passed))
}

const leaders = () =>
  candidates
    .filter(({ elector }) => elector.isLeader())
    .map(({ elector }) => candidates.findIndex((each) => each.elector === elector))

describe('the election', () => {
  test('has one leader, which the others know', async () => {
    await join('a')
    await join('b')
    await pass(60_000)
    expect([leaders(), candidates.map(({ elector }) => elector.holder())]).toEqual([[0], ['a', 'a']])
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 1 })
    expect(server.lease?.spec.renewTime).toMatch(/^2026-11-25T00:01:00\.000000Z$/)
    expect(await register.getSingleMetricAsString('sealwright_leader')).toContain('sealwright_leader')
  })

  test('renews every two seconds', async () => {
    await join('a')
    await pass(20_000)
    expect(server.writes.map(({ method }) => method)).toEqual(['POST', ...Array.from({ length: 10 }, () => 'PUT')])
    expect(candidates[0]!.elector.leaseAgeMs()).toBeLessThanOrEqual(RETRY_MS)
  })

  test('of two that start together one leads', async () => {
    await Promise.all([join('a'), join('b')])
    await pass(4000)
    expect(leaders().length).toBe(1)
  })

  test('takes over from a leader that was killed, only after the duration since its last renewal was seen', async () => {
    server.store({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'ns', name: 'sealwright-controller' },
      // By its own clock it ended long ago, or lasts for years: neither counts.
      spec: { holderIdentity: 'gone', leaseDurationSeconds: 15, renewTime: '2001-01-01T00:00:00.000000Z', leaseTransitions: 6 },
    })
    const { led } = await join('b')
    await pass(14_500)
    expect([led, leaders()]).toEqual([[], []])
    await pass(2000)
    expect([led, leaders()]).toEqual([[7], [0]])
  })

  test('is not affected by a clock that is an hour wrong', async () => {
    const [one, other] = [await join('a'), await join('b')]
    one.clock.setWall(new Date('2026-11-24T23:00:00Z'))
    other.clock.setWall(new Date('2026-12-05T00:00:00Z'))
    await pass(120_000)
    expect([leaders(), one.endedAt, other.led]).toEqual([[0], [], []])
  })

  test('a leader that cannot renew steps down before another takes over', async () => {
    const [one, other] = [await join('a'), await join('b')]
    await pass(6000)
    one.client.state = 'cut'
    const cutAt = one.clock.elapsedMs()
    await pass(10_000)
    expect([one.endedAt, other.led]).toEqual([[expect.any(Number)], []])
    expect(one.endedAt[0]! - cutAt).toBeLessThanOrEqual(DEADLINE_MS)
    expect(leaders()).toEqual([])
    await pass(8000)
    expect([leaders(), other.led]).toEqual([[1], [2]])
    one.client.resume()
    await pass(60_000)
    expect([leaders(), one.led]).toEqual([[1], [1]])
  })

  test('a renewal that hangs does not delay the deadline', async () => {
    const one = await join('a')
    await pass(6000)
    one.client.state = 'hanging'
    await pass(10_000)
    expect([one.endedAt.length, one.elector.isLeader()]).toEqual([1, false])
  })

  test('a process that was paused does not lead for a moment after it resumes, though its renewal succeeds late', async () => {
    const [one, other] = [await join('a'), await join('b')]
    await pass(6000)
    one.client.state = 'hanging'
    await one.clock.advance(2000)
    one.clock.pause(60_000)
    expect(one.elector.isLeader()).toBe(false)
    for (let passed = 0; passed < 20_000; passed += 500) await other.clock.advance(500)
    expect(other.elector.isLeader()).toBe(true)
    one.client.resume()
    await settle()
    await one.clock.advance(10_000)
    expect([one.endedAt.length, leaders(), other.led]).toEqual([1, [1], [2]])
  })

  test('a stop awaits the work while it renews, releases the Lease last, and the successor leads within 3 s', async () => {
    let finishWork = () => {}
    const one = await join('a', {
      lead: async (signal) => {
        await aborted(signal)
        await new Promise<void>((resolve) => (finishWork = resolve))
      },
    })
    const other = await join('b')
    await pass(4000)
    let isStopped = false
    const stopped = one.elector[Symbol.asyncDispose]().then(() => (isStopped = true))
    await pass(20_000)
    expect([isStopped, one.elector.isLeader(), other.led, server.lease?.spec.holderIdentity]).toEqual([false, false, [], 'a'])
    finishWork()
    await settle()
    await stopped
    expect(server.writes.at(-1)?.spec.holderIdentity).toBeUndefined()
    await pass(3000)
    expect([other.led, leaders()]).toEqual([[2], [1]])
  })

  test('a Lease that was edited by hand is renewed at once from a fresh read', async () => {
    const one = await join('a')
    await pass(3000)
    server.edit((lease) => (lease.metadata.labels = { team: 'signing' }))
    await pass(2000)
    expect([leaders(), one.endedAt, server.lease?.metadata.labels]).toEqual([[0], [], { team: 'signing' }])
    expect(server.writes.length).toBe(3)
  })

  test.each([
    { name: 'another identity', spec: { holderIdentity: 'forged' } },
    { name: 'a later start of the same identity', spec: { leaseTransitions: 9 } },
  ])('a Lease that names $name ends the leadership at the next renewal', async ({ spec }) => {
    const one = await join('a')
    await pass(3000)
    server.edit((lease) => Object.assign(lease.spec, spec))
    await pass(1500)
    expect([leaders(), one.endedAt.length]).toEqual([[], 1])
    expect(server.writes.at(-1)?.spec.holderIdentity).toBe('a')
  })

  test('a Lease that was deleted is written again with the same transitions', async () => {
    const one = await join('a', { leastTransitions: async () => 41 })
    await pass(3000)
    server.remove()
    await pass(2000)
    expect([leaders(), one.led, one.endedAt, server.lease?.spec.leaseTransitions]).toEqual([[0], [42], [], 42])
  })

  test('does not lead while the recorded transitions cannot be read', async () => {
    const leastTransitions = vi.fn(async () => 5).mockRejectedValueOnce(new Error('the database is away'))
    const one = await join('a', { leastTransitions })
    expect([one.led, server.lease]).toEqual([[], undefined])
    await pass(2500)
    expect(one.led).toEqual([6])
  })

  test('work that fails gives the Lease up, and is tried again after a growing pause', async () => {
    const lead = vi.fn(() => Promise.reject(new Error('the fence refuses')))
    await join('a', { lead })
    await pass(1000)
    expect([lead.mock.calls.length, server.lease?.spec.holderIdentity]).toEqual([1, undefined])
    await pass(60_000)
    expect(lead.mock.calls.length).toBe(5)
    expect(vi.mocked(log.error).mock.calls.at(-1)).toEqual([{ err: new Error('the fence refuses') }, 'leader.failed'])
  })

  test('an API server that is away is logged once', async () => {
    const one = await join('a')
    one.client.state = 'cut'
    await pass(60_000)
    const names = vi.mocked(log.warn).mock.calls.map(([, name]) => name)
    expect(names).toEqual(['leader.renewal_failed', 'leader.lost', 'leader.election_failed'])
  })
})

test.each([
  { renewDeadlineMs: 15_000, retryPeriodMs: 2000 },
  { renewDeadlineMs: 10_000, retryPeriodMs: 6000 },
])('times that leave no room to step down are refused: %o', async (times) => {
  await expect(join('a', times)).rejects.toThrow(RangeError)
})
