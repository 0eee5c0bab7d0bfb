// Leases due deliveries and sends them, up to a number at a time. A request can take as long as its time limit, so the loop that takes notifications does not
// wait for it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { MAX_ORGANISATION_IN_FLIGHT, MAX_ORGANISATION_SLOW_IN_FLIGHT } from '#core/limits.ts'
import { webhookInFlight } from '#core/platform/metrics/metrics.ts'
import { newFailureLog } from '#core/platform/process/failure-log.ts'
import { claimDeliveries } from '#core/webhook/delivery/claim-deliveries.ts'
import { deliver } from '#core/webhook/delivery/deliver.ts'
import type { DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { pollDeliveries } from '#core/webhook/delivery/poll-deliveries.ts'
import { recordInBatches } from '#core/webhook/delivery/record-in-batches.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { type HeldLeases, releaseLeases } from '#core/work/hold-lease.ts'

/** Requests of a process at a time. */
export interface Places {
  most: number
  /** Of those, to slow webhooks, so that others have room. */
  mostSlow: number
}
export const PLACES: Places = { most: 200, mostSlow: 50 }

export interface Dispatcher extends AsyncDisposable {
  /** Starts due deliveries of the organisation, or without one of all. True when it started any. Throws only database errors. */
  start: (orgId?: OrgId) => Promise<boolean>
  /** Begins nothing more from now on. */
  stop: () => void
  /** Releases the leases of the requests that still run. */
  releaseLeases: () => Promise<void>
}

/** Disposing stops it and waits for the running requests; no caller may still be in `start`. */
export function newDispatcher(core: StorelessCore, client: PostClient, places: Places = PLACES): Dispatcher {
  const held: HeldLeases = new Set()
  const record = recordInBatches(core.database)
  const running = new Set<Promise<void>>()
  const failures = newFailureLog(core.log, 'delivery.not_recorded')
  /** Taken by requests, and by claims until it is known how many they need. */
  const taken = { all: 0, slow: 0 }
  let isStopping = false
  const claim = async (orgId: OrgId): Promise<number> => {
    const free = Math.min(MAX_ORGANISATION_IN_FLIGHT, places.most - taken.all)
    const slow = Math.max(0, Math.min(MAX_ORGANISATION_SLOW_IN_FLIGHT, places.mostSlow - taken.slow))
    if (isStopping || free <= 0) return 0
    taken.all += free
    taken.slow += slow
    const jobs = await claimDeliveries(core, orgId, { places: free, slowPlaces: slow }).finally(() => {
      taken.all -= free
      taken.slow -= slow
    })
    for (const job of jobs) begin(job)
    return jobs.length
  }
  const claimSoon = oneAtATime(claim)
  const begin = (job: DeliveryJob): void => {
    const work = run(job).finally(() => running.delete(work))
    running.add(work)
  }
  const run = async (job: DeliveryJob): Promise<void> => {
    const slow = job.isSlow ? 1 : 0
    const lane = job.isSlow ? 'slow' : 'prompt'
    taken.all += 1
    taken.slow += slow
    webhookInFlight.inc({ lane })
    try {
      await deliver(core, client, job, held, record).finally(() => {
        taken.all -= 1
        taken.slow -= slow
        webhookInFlight.dec({ lane })
      })
      // Another delivery of the organisation may be waiting for the place.
      await claimSoon(job.orgId)
      failures.worked()
    } catch (error) {
      // The lease ends and the delivery is sent again.
      failures.failed(error, { orgId: job.orgId, deliveryId: job.id })
    }
  }
  return {
    async start(orgId) {
      let started = 0
      for (const due of orgId ? [orgId] : await pollDeliveries(core)) started += await claimSoon(due)
      return started > 0
    },
    stop: () => void (isStopping = true),
    releaseLeases: () => releaseLeases(held),
    async [Symbol.asyncDispose]() {
      isStopping = true
      while (running.size > 0) await Promise.all(running)
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
