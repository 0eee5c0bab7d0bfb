// Elects one process among several with a Lease, as client-go does: a holder that does not renew within the duration loses the Lease to another process,
// and steps down by itself before that. Only elapsed time counts.
import type { Kube } from '#core/platform/kubernetes/open-kube.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { leader } from '#core/platform/metrics/controller-metrics.ts'
import { newThrottledLog, type ThrottledLog } from '#core/platform/process/throttled-log.ts'
import { backoffMs, jittered } from './backoff.ts'
import { acquiredSpec, isHeldByOther, type Lease, releasedSpec, sight, type Sighting } from './lease.ts'
import { type LeaseCalls, newLeaseCalls } from './lease-calls.ts'
import { type HoldOptions, LeaseHold } from './lease-hold.ts'
import { wait } from './runtime-clock.ts'

export interface ElectorOptions extends HoldOptions {
  kube: Pick<Kube, 'lease'>
  namespace: string
  name: string
  /** Unique for each process. */
  identity: string
  durationMs: number
  /** Shorter than the duration: the holder has stepped down when another may take over. */
  renewDeadlineMs: number
  retryPeriodMs: number
  /** Runs while this process leads; the signal is aborted when it no longer does. `transitions` is higher for every leader than for those before. The
   *  Lease is released after it has settled. */
  lead: (signal: AbortSignal, transitions: number) => Promise<void>
  /** The highest number of transitions that is recorded elsewhere: a Lease that was deleted continues above it. While it rejects, this process does not lead. */
  leastTransitions?: () => Promise<number>
  random?: () => number
}

/** Disposing aborts `lead`, awaits it while renewing, and releases the Lease last. */
export interface Elector extends AsyncDisposable {
  isLeader(): boolean
  /** The identity of the process that holds the Lease, as far as known here. */
  holder(): string | undefined
  /** Since the Lease last changed, as far as seen here. */
  leaseAgeMs(): number
}

/** After leading for this long, the next failure of the work counts as the first. */
const LONG_LED_MS = 60_000
const LONGEST_PAUSE_MS = 60_000

/** Takes part in the election until disposed. Throws RangeError when the times do not leave the holder the time to step down. */
export function startElector(options: ElectorOptions): Elector {
  const { durationMs, renewDeadlineMs, retryPeriodMs } = options
  if (renewDeadlineMs >= durationMs || retryPeriodMs * 2 > renewDeadlineMs)
    throw new RangeError('a Lease needs: twice the retry period <= renew deadline < duration')
  return new LeaseElector(options)
}

class LeaseElector implements Elector {
  readonly #options: ElectorOptions
  readonly #calls: LeaseCalls
  readonly #outage: ThrottledLog
  readonly #random: () => number
  readonly #stop = new AbortController()
  readonly #startedAt: number
  readonly #ended: Promise<void>
  #sighting: Sighting | undefined
  #hold: LeaseHold | undefined
  /** Leaderships in a row that ended early, because the work failed. */
  #failures = 0

  constructor(options: ElectorOptions) {
    const { kube, namespace, name, clock, log, random = Math.random } = options
    this.#options = options
    this.#calls = newLeaseCalls(kube.lease, namespace, name)
    this.#outage = newThrottledLog(log, 'leader.election_failed')
    this.#random = random
    this.#startedAt = clock.elapsedMs()
    leader.set(0)
    this.#ended = this.#run(this.#stop.signal)
  }

  isLeader(): boolean {
    return this.#hold?.isValid() ?? false
  }

  holder(): string | undefined {
    return this.#sighting?.lease.spec.holderIdentity || undefined
  }

  leaseAgeMs(): number {
    return this.#options.clock.elapsedMs() - (this.#sighting?.at ?? this.#startedAt)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the process stops'))
    await this.#ended
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, retryPeriodMs } = this.#options
    while (!signal.aborted) {
      const acquired = await this.#tryAcquire()
      if (acquired) await this.#lead(acquired, signal)
      const pause = { firstMs: retryPeriodMs, longestMs: LONGEST_PAUSE_MS }
      await wait(clock, acquired ? backoffMs(this.#failures, pause, this.#random) : jittered(retryPeriodMs, this.#random), signal)
    }
  }

  /** The Lease, when it was free and is ours now. */
  async #tryAcquire(): Promise<Sighting | undefined> {
    try {
      const acquired = await this.#acquireIfFree()
      this.#outage.recovered()
      return acquired
    } catch (error) {
      // Another process was first.
      if (error instanceof KubeError && error.status === 409) return undefined
      this.#outage.report(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  async #acquireIfFree(): Promise<Sighting | undefined> {
    const { identity, durationMs, renewDeadlineMs, clock } = this.#options
    const timeoutMs = renewDeadlineMs / 2
    const before = await this.#calls.read(timeoutMs)
    if (before) {
      this.#sighting = sight(this.#sighting, before, clock.elapsedMs())
      if (isHeldByOther(this.#sighting, identity, clock.elapsedMs())) return undefined
    }
    const leastTransitions = (await this.#options.leastTransitions?.()) ?? 0
    const at = clock.elapsedMs()
    const spec = acquiredSpec(before?.spec, { identity, durationMs, leastTransitions, wall: clock.wall() })
    const lease = await this.#calls.write(before, spec, timeoutMs)
    this.#sighting = { lease, at }
    return this.#sighting
  }

  async #lead(acquired: Sighting, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options
    log.info({ transitions: acquired.lease.spec.leaseTransitions }, 'leader.elected')
    this.#hold = new LeaseHold(this.#options, this.#calls, acquired, (written) => (this.#sighting = written))
    leader.set(1)
    const lease = await this.#hold.run(signal)
    this.#hold = undefined
    leader.set(0)
    if (lease) await this.#release(lease)
    this.#failures = clock.elapsedMs() - acquired.at >= LONG_LED_MS ? 1 : this.#failures + 1
  }

  async #release(lease: Lease): Promise<void> {
    const { clock, log, renewDeadlineMs } = this.#options
    try {
      const at = clock.elapsedMs()
      this.#sighting = { lease: await this.#calls.write(lease, releasedSpec(lease.spec, clock.wall()), renewDeadlineMs / 2), at }
      log.info({}, 'leader.released')
    } catch (error) {
      // It ends with its duration then.
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'leader.release_failed')
    }
  }
}
