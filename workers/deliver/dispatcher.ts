// Leases due deliveries and sends them, up to a number at a time. A request can take as long as its time limit, so the loop that takes notifications does not
// wait for it.
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { newFailureLog } from '#core/platform/process/failure-log.ts'
import { claimDeliveries } from '#core/webhook/delivery/claim-deliveries.ts'
import { deliver } from '#core/webhook/delivery/deliver.ts'
import type { DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { closeStray, listDue } from '#core/webhook/delivery/poll-deliveries.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { type HeldLeases, releaseLeases } from '#core/work/hold-lease.ts'

const MOST_AT_A_TIME = 200
/** Of those, to slow webhooks, so that others have room. */
const MOST_SLOW_AT_A_TIME = 50

export interface Dispatcher extends AsyncDisposable {
  /** Starts due deliveries of the organisation, or without one of all. True when it started any. Throws only database errors. */
  start: (orgId?: OrgId) => Promise<boolean>
  /** Releases the leases of the requests that still run. */
  releaseLeases: () => Promise<void>
}

/** Disposing waits for the running requests. */
export function newDispatcher(core: StorelessCore, client: PostClient): Dispatcher {
  const held: HeldLeases = new Set()
  const running = new Set<Promise<void>>()
  const slow = new Set<Promise<void>>()
  const failures = newFailureLog(core.log, 'delivery.not_recorded')
  const claim = async (orgId: OrgId): Promise<number> => {
    const places = MOST_AT_A_TIME - running.size
    if (places <= 0) return 0
    const jobs = await claimDeliveries(core, orgId, { places, slowPlaces: Math.max(0, MOST_SLOW_AT_A_TIME - slow.size) })
    for (const job of jobs) track(run(job), job)
    return jobs.length
  }
  const track = (work: Promise<void>, { isSlow }: DeliveryJob): void => {
    const tracked = work.finally(() => {
      running.delete(tracked)
      slow.delete(tracked)
    })
    running.add(tracked)
    if (isSlow) slow.add(tracked)
  }
  const run = async (job: DeliveryJob): Promise<void> => {
    try {
      await deliver(core, client, job, held)
      // Its place is free: another delivery of the organisation may be waiting for it.
      await claim(job.orgId)
      failures.worked()
    } catch (error) {
      // The lease ends and the delivery is sent again.
      failures.failed(error, { orgId: job.orgId, deliveryId: job.id })
    }
  }
  return {
    async start(orgId) {
      if (orgId) return (await claim(orgId)) > 0
      await closeStray(core)
      let started = 0
      for (const due of await listDue(core)) started += await claim(due)
      return started > 0
    },
    releaseLeases: () => releaseLeases(held),
    async [Symbol.asyncDispose]() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
