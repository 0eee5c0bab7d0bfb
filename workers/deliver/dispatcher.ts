// Leases due deliveries and sends them, up to a number at a time. A request can take as long as its time limit, so the loop that takes notifications does not
// wait for it.
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { webhookInFlight } from '#core/platform/metrics/metrics.ts'
import { newFailureLog } from '#core/platform/process/failure-log.ts'
import { deliver } from '#core/webhook/delivery/deliver.ts'
import type { DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { holdDeliveries } from '#core/webhook/delivery/hold-deliveries.ts'
import { pollDeliveries } from '#core/webhook/delivery/poll-deliveries.ts'
import { recordInBatches } from '#core/webhook/delivery/record-in-batches.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { newSendQueue, type Places } from './send-queue.ts'

const PLACES: Places = { most: 200, mostSlow: 50 }
/** A delivery that has waited for so long is claimed again before it is sent: its webhook may have been changed or disabled meanwhile. */
const FRESH_MS = 1_000

export interface Dispatcher extends AsyncDisposable {
  /** Starts due deliveries of the organisation, or without one of all. True when it leased any. Throws only database errors. */
  start: (orgId?: OrgId) => Promise<boolean>
  /** Begins nothing more from now on. */
  stop: () => void
  /** Releases the leases of the requests that still run. */
  releaseLeases: () => Promise<void>
}

/** Disposing stops it, releases what was not sent and waits for the running requests; no caller may still be in `start`. */
export function newDispatcher(core: StorelessCore, client: PostClient, places: Places = PLACES): Dispatcher {
  const sender = randomUUID()
  const queue = newSendQueue(places)
  const held = holdDeliveries(core)
  const record = recordInBatches(core.database)
  const running = new Set<Promise<void>>()
  const failures = newFailureLog(core.log, 'delivery.not_recorded')
  let isStopping = false
  const claim = async (orgId: OrgId): Promise<number> => {
    const wish = isStopping ? undefined : queue.wishFor(orgId)
    if (!wish) return 0
    const jobs = await held.claim(orgId, { sender, ...wish })
    queue.add(orgId, jobs, performance.now())
    sendWaiting()
    return jobs.length
  }
  const claimSoon = oneAtATime(claim)
  const sendWaiting = (): void => {
    for (let job = isStopping ? undefined : queue.next(); job; job = queue.next()) {
      const work = run(job).finally(() => running.delete(work))
      running.add(work)
    }
  }
  const end = (job: DeliveryJob): void => {
    held.end(job)
    queue.forget(job)
  }
  const run = async (job: DeliveryJob): Promise<void> => {
    const close = openRequest(job)
    try {
      if (!held.isHeld(job)) return
      let isAccepted = false
      const onAccepted = (): void => {
        isAccepted = true
        close()
        sendWaiting()
      }
      await deliver(core, client, job, { record, onAccepted })
      if (!isAccepted) queue.slowDown(job)
      failures.worked()
    } catch (error) {
      // The lease ends and the delivery is sent again.
      failures.failed(error, { orgId: job.orgId, deliveryId: job.id })
    } finally {
      close()
      end(job)
      sendWaiting()
    }
    // Another delivery of the organisation may be waiting for the place.
    await claimSoon(job.orgId).catch((error: unknown) => failures.failed(error, { orgId: job.orgId }))
  }
  /** Counts the request until the returned function is called. */
  const openRequest = (job: DeliveryJob): (() => void) => {
    const lane = job.isSlow ? 'slow' : 'prompt'
    let isOpen = true
    webhookInFlight.inc({ lane })
    return () => {
      if (!isOpen) return
      isOpen = false
      webhookInFlight.dec({ lane })
      queue.close(job)
    }
  }
  /** Frees what has waited since before then. */
  const releaseWaiting = async (before: number): Promise<void> => {
    const jobs = queue.takeWaiting(before)
    jobs.forEach(queue.forget)
    if (jobs.length > 0) await held.release(jobs)
  }
  const releases = newFailureLog(core.log, 'lease.not_released')
  const timer = setInterval(() => {
    releaseWaiting(performance.now() - FRESH_MS).then(releases.worked, (error: unknown) => releases.failed(error, {}))
  }, FRESH_MS / 2)
  return {
    async start(orgId) {
      let started = 0
      for (const due of orgId ? [orgId] : await pollDeliveries(core)) started += await claimSoon(due)
      return started > 0
    },
    stop: () => void (isStopping = true),
    releaseLeases: () => held.release(),
    async [Symbol.asyncDispose]() {
      isStopping = true
      clearInterval(timer)
      const release = () => releaseWaiting(Infinity).then(releases.worked, (error: unknown) => releases.failed(error, {}))
      await release()
      while (running.size > 0) await Promise.all(running)
      // What a claim has leased meanwhile.
      await release()
      held[Symbol.dispose]()
    },
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
