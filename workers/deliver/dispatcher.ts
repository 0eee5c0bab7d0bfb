// Leases due deliveries and sends them, up to a number at a time. A request can take as long as its time limit, so the loop that takes notifications does not
// wait for it.
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { webhookInFlight } from '#core/platform/metrics/metrics.ts'
import { type FailureLog, newFailureLog } from '#core/platform/process/failure-log.ts'
import { deliver } from '#core/webhook/send/deliver.ts'
import type { DeliveryJob, RecordDelivered } from '#core/webhook/delivery/delivery-job.ts'
import { type HeldDeliveries, holdDeliveries } from '#core/webhook/delivery/hold-deliveries.ts'
import { pollDeliveries } from '#core/webhook/delivery/poll-deliveries.ts'
import { recordInBatches } from '#core/webhook/delivery/record-in-batches.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { type ConcurrencyLimits, SendQueue } from './send-queue.ts'

export const LIMITS: ConcurrencyLimits = { max: 200, maxSlow: 50 }
/** A delivery that has waited for so long is claimed again before it is sent: its webhook may have been changed or disabled meanwhile. */
const FRESH_MS = 1_000

export interface Dispatcher extends AsyncDisposable {
  /** Starts due deliveries of the organisation, or without one of all. True when it leased any. Throws only database errors. */
  start(orgId?: OrgId): Promise<boolean>
  /** Begins nothing more from now on. */
  stop(): void
  /** Releases the leases of the requests that still run. */
  releaseLeases(): Promise<void>
}

/** Disposing stops it, releases what was not sent and waits for the running requests; no caller may still be in `start`. */
export function newDispatcher(core: StorelessCore, client: PostClient, limits: ConcurrencyLimits = LIMITS): Dispatcher {
  return new DeliveryDispatcher(core, client, limits)
}

class DeliveryDispatcher implements Dispatcher {
  readonly #core: StorelessCore
  readonly #client: PostClient
  readonly #sender = randomUUID()
  readonly #queue: SendQueue
  readonly #held: HeldDeliveries
  readonly #record: RecordDelivered
  readonly #running = new Set<Promise<void>>()
  readonly #failures: FailureLog
  readonly #releases: FailureLog
  readonly #claimSoon = oneAtATime((orgId) => this.#claim(orgId))
  readonly #timer = setInterval(() => void this.#releaseWaiting(performance.now() - FRESH_MS), FRESH_MS / 2)
  #isStopping = false

  constructor(core: StorelessCore, client: PostClient, limits: ConcurrencyLimits) {
    this.#core = core
    this.#client = client
    this.#queue = new SendQueue(limits)
    this.#held = holdDeliveries(core)
    this.#record = recordInBatches(core.database)
    this.#failures = newFailureLog(core.log, 'delivery.not_recorded')
    this.#releases = newFailureLog(core.log, 'lease.not_released')
  }

  async start(orgId?: OrgId): Promise<boolean> {
    let started = 0
    for (const due of orgId ? [orgId] : await pollDeliveries(this.#core)) started += await this.#claimSoon(due)
    return started > 0
  }

  stop(): void {
    this.#isStopping = true
  }

  releaseLeases(): Promise<void> {
    return this.#held.release()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop()
    clearInterval(this.#timer)
    await this.#releaseWaiting(Infinity)
    while (this.#running.size > 0) await Promise.all(this.#running)
    // What a claim has leased meanwhile.
    await this.#releaseWaiting(Infinity)
    this.#held[Symbol.dispose]()
  }

  async #claim(orgId: OrgId): Promise<number> {
    const size = this.#isStopping ? undefined : this.#queue.claimSize(orgId)
    if (!size) return 0
    const jobs = await this.#held.claim(orgId, { sender: this.#sender, ...size })
    this.#queue.add(orgId, jobs, performance.now())
    this.#sendWaiting()
    return jobs.length
  }

  #sendWaiting(): void {
    for (let job = this.#nextJob(); job; job = this.#nextJob()) {
      const work = this.#run(job).finally(() => this.#running.delete(work))
      this.#running.add(work)
    }
  }

  #nextJob(): DeliveryJob | undefined {
    return this.#isStopping ? undefined : this.#queue.next()
  }

  async #run(job: DeliveryJob): Promise<void> {
    try {
      await this.#send(job)
      this.#failures.worked()
      // Another delivery of the organisation may be waiting for the place.
      await this.#claimSoon(job.orgId)
    } catch (error) {
      // The lease ends and the delivery is sent again.
      this.#failures.failed(error, { orgId: job.orgId, deliveryId: job.id })
    }
  }

  /** The next request begins with the answer, before it is recorded. */
  async #send(job: DeliveryJob): Promise<void> {
    const close = this.#openRequest(job)
    let isAccepted = false
    const onAccepted = (): void => {
      isAccepted = true
      close()
      this.#sendWaiting()
    }
    try {
      if (this.#held.isHeld(job)) await deliver(this.#core, this.#client, job, { record: this.#record, onAccepted })
      if (!isAccepted) this.#queue.slowDown(job)
    } finally {
      close()
      this.#held.end(job)
      this.#queue.release(job)
      this.#sendWaiting()
    }
  }

  /** Counts the request until the returned function is called. */
  #openRequest(job: DeliveryJob): () => void {
    const lane = job.isSlow ? 'slow' : 'prompt'
    let isOpen = true
    webhookInFlight.inc({ lane })
    return () => {
      if (!isOpen) return
      isOpen = false
      webhookInFlight.dec({ lane })
      this.#queue.close(job)
    }
  }

  /** Frees what has waited since before then. */
  async #releaseWaiting(before: number): Promise<void> {
    const jobs = this.#queue.takeWaiting(before)
    for (const job of jobs) this.#queue.release(job)
    try {
      await this.#held.release(jobs)
      this.#releases.worked()
    } catch (error) {
      this.#releases.failed(error, {})
    }
  }
}

/** Runs one claim of an organisation at a time. Calls that come before it begins share it: deliveries whose ends are recorded together, and notifications. */
function oneAtATime(claim: (orgId: OrgId) => Promise<number>): (orgId: OrgId) => Promise<number> {
  const running = new Map<OrgId, Promise<unknown>>()
  const next = new Map<OrgId, Promise<number>>()
  const begin = async (orgId: OrgId): Promise<number> => {
    await (running.get(orgId) ?? nextTurn())
    next.delete(orgId)
    const claimed = claim(orgId)
    const ended = claimed.then(forget, forget)
    running.set(orgId, ended)
    function forget(): void {
      if (running.get(orgId) === ended) running.delete(orgId)
    }
    return claimed
  }
  return (orgId) => {
    const soon = next.get(orgId) ?? begin(orgId)
    next.set(orgId, soon)
    return soon
  }
}
