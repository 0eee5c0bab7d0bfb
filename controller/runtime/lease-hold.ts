// The time for which this process holds the Lease: the work of the leader, and the renewals.
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import type { Logger } from '#core/platform/log.ts'
import { newThrottledLog, type ThrottledLog } from '#core/platform/process/throttled-log.ts'
import { type Lease, type LeaseSpec, renewedSpec } from './lease.ts'
import type { LeaseCalls } from './lease-calls.ts'
import { type RuntimeClock, wait } from './runtime-clock.ts'

export interface HoldOptions {
  identity: string
  renewDeadlineMs: number
  retryPeriodMs: number
  lead: (signal: AbortSignal, transitions: number) => Promise<void>
  clock: RuntimeClock
  log: Logger
}

/** A Lease that this process has written, and when it sent that. */
interface Written {
  lease: Lease
  at: number
}

/** A conflict means that the Lease was changed by hand, for example by a label. */
const MOST_TRIES = 5

/** Made with the Lease just acquired. */
export class LeaseHold {
  readonly #options: HoldOptions
  readonly #calls: LeaseCalls
  readonly #onWrite: (written: Written) => void
  readonly #outage: ThrottledLog
  /** Aborted when the leader has to end its work. */
  readonly #end = new AbortController()
  #spec: LeaseSpec
  /** Absent when the Lease was deleted. */
  #lease: Lease | undefined
  #renewedAt: number
  #isOurs = true
  #deadline: Disposable | undefined

  constructor(options: HoldOptions, calls: LeaseCalls, acquired: Written, onWrite: (written: Written) => void) {
    this.#options = options
    this.#calls = calls
    this.#onWrite = onWrite
    this.#outage = newThrottledLog(options.log, 'leader.renewal_failed')
    this.#spec = acquired.lease.spec
    this.#lease = acquired.lease
    this.#renewedAt = acquired.at
  }

  /** Whether this process leads now: also right after a pause, before any timer has run. */
  isValid(): boolean {
    return this.#isOurs && !this.#end.signal.aborted && !this.#isOverdue()
  }

  /** Leads until the work ends, the Lease is lost or `stop` is aborted. Returns when the work has settled, with the Lease to release, if it is still ours. */
  async run(stop: AbortSignal): Promise<Lease | undefined> {
    const endByStop = (): void => this.#end.abort(stop.reason)
    stop.addEventListener('abort', endByStop, { once: true })
    if (stop.aborted) endByStop()
    const settled = new AbortController()
    const work = this.#lead().finally(() => settled.abort())
    this.#armDeadline()
    while (this.#isOurs && !settled.signal.aborted) {
      await wait(this.#options.clock, this.#options.retryPeriodMs, settled.signal)
      if (!settled.signal.aborted) await this.#renew()
    }
    await work
    this.#deadline?.[Symbol.dispose]()
    stop.removeEventListener('abort', endByStop)
    this.#end.abort()
    return this.#isOurs && !this.#isOverdue() ? this.#lease : undefined
  }

  async #lead(): Promise<void> {
    const { lead, log } = this.#options
    try {
      await lead(this.#end.signal, this.#spec.leaseTransitions ?? 0)
    } catch (error) {
      if (!this.#end.signal.aborted) log.error({ err: error }, 'leader.failed')
    }
  }

  async #renew(): Promise<void> {
    try {
      for (let tries = 0; tries < MOST_TRIES && this.#isOurs; tries++) if (await this.#tryRenew()) break
    } catch (error) {
      this.#outage.report(error instanceof Error ? error.message : String(error))
    }
    if (this.#isOverdue()) this.#stepDown('it was not renewed in time')
  }

  /** Whether it is renewed; false when the Lease had changed and the next try may succeed. */
  async #tryRenew(): Promise<boolean> {
    const { clock, renewDeadlineMs } = this.#options
    const sentAt = clock.elapsedMs()
    const timeoutMs = Math.min(renewDeadlineMs / 2, this.#renewedAt + renewDeadlineMs - sentAt)
    if (timeoutMs <= 0) return true
    try {
      const spec = renewedSpec(this.#spec, clock.wall())
      const lease = await this.#calls.write(this.#lease, spec, timeoutMs)
      this.#lease = lease
      this.#spec = lease.spec
      this.#renewedAt = sentAt
      this.#armDeadline()
      this.#outage.recovered()
      this.#onWrite({ lease, at: sentAt })
      return true
    } catch (error) {
      if (!(error instanceof KubeError) || ![404, 409].includes(error.status)) throw error
      this.#take(await this.#calls.read(timeoutMs))
      return false
    }
  }

  /** Takes over a change of the Lease that is not ours. */
  #take(current: Lease | undefined): void {
    const { holderIdentity, leaseTransitions } = current?.spec ?? this.#spec
    const isOurs = holderIdentity === this.#options.identity && leaseTransitions === this.#spec.leaseTransitions
    if (!isOurs) this.#stepDown(`${holderIdentity || 'no process'} holds it`)
    this.#lease = current
  }

  #isOverdue(): boolean {
    return this.#options.clock.elapsedMs() - this.#renewedAt >= this.#options.renewDeadlineMs
  }

  #armDeadline(): void {
    const { clock, renewDeadlineMs } = this.#options
    this.#deadline?.[Symbol.dispose]()
    const left = Math.max(0, this.#renewedAt + renewDeadlineMs - clock.elapsedMs())
    this.#deadline = clock.after(left, () => this.#stepDown('it was not renewed in time'))
  }

  #stepDown(reason: string): void {
    if (!this.#isOurs) return
    this.#isOurs = false
    this.#deadline?.[Symbol.dispose]()
    this.#options.log.warn({ reason }, 'leader.lost')
    this.#end.abort(new Error(`the Lease is lost: ${reason}`))
  }
}
