// The leases of a process on deliveries, sent or not: renewed and released together, because it holds many.
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { newFailureLog } from '#core/platform/process/failure-log.ts'
import { LEASE_SECONDS, RENEW_EVERY_MS } from '#core/work/hold-lease.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import type { Claim } from './claim.ts'
import type { DeliveryJob } from './delivery-job.ts'
import { releaseDeliveries, renewDeliveries } from './lease-store.ts'

export interface HeldDeliveries extends Disposable {
  /** Leases due deliveries and holds them until they have ended. */
  claim: (orgId: OrgId, claim: Claim) => Promise<DeliveryJob[]>
  /** Whether the lease lasts, by the clock of this process. A delivery that is not held must not be sent: another process may send it. */
  isHeld: (job: DeliveryJob) => boolean
  /** The result is recorded, or its record has failed. */
  end: (job: DeliveryJob) => void
  /** Frees these for any process, or all that are held. A late failure of one is not recorded; a late success is. */
  release: (jobs?: readonly DeliveryJob[]) => Promise<void>
}

/** Renews until disposed. A failed renewal is logged: when a lease ends, another process sends the delivery, too. */
export function holdDeliveries(core: Pick<StorelessCore, 'database' | 'log'>): HeldDeliveries {
  /** Until when each is held. */
  const held = new Map<DeliveryJob, number>()
  const failures = newFailureLog(core.log, 'lease.not_renewed')
  const renew = async (): Promise<void> => {
    const now = performance.now()
    const older = [...held].filter(([, until]) => until < now + LEASE_SECONDS * 1_000 - RENEW_EVERY_MS / 2).map(([job]) => job)
    if (older.length === 0) return
    const renewed = await renewDeliveries(core.database, older)
    for (const job of older) if (renewed.has(job.id) && held.has(job)) held.set(job, now + LEASE_SECONDS * 1_000)
  }
  const timer = setInterval(() => {
    renew().then(failures.worked, (error: unknown) => failures.failed(error, {}))
  }, RENEW_EVERY_MS)
  return {
    async claim(orgId, claim) {
      const until = performance.now() + LEASE_SECONDS * 1_000
      const jobs = await claimDeliveries(core, orgId, claim)
      for (const job of jobs) held.set(job, until)
      return jobs
    },
    isHeld: (job) => (held.get(job) ?? 0) > performance.now(),
    end: (job) => void held.delete(job),
    async release(jobs = [...held.keys()]) {
      for (const job of jobs) held.delete(job)
      if (jobs.length > 0) await releaseDeliveries(core.database, jobs)
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
