// A worker holds a job by a short lease that it keeps renewing: a job whose worker died is free again within seconds, and no other worker takes a job
// that is still running, however long it runs.
import type { Logger } from '#core/platform/log.ts'
import { newFailureLog } from '#core/platform/process/failure-log.ts'

/** After its worker's last sign of life, a job goes to another. */
export const LEASE_SECONDS = 10
const RENEW_EVERY_MS = 3_000

export interface Lease {
  renew: () => Promise<void>
  /** Frees the job for another worker at once. From then on this worker can neither renew the lease nor record a failure. */
  release: () => Promise<void>
}

/** The leases that a loop holds at the moment. */
export type HeldLeases = Set<Lease>

/** Runs `work` and renews the lease until it settles; meanwhile the lease is one of `held`. A renewal that fails is logged and the work goes on: if the
 *  lease ends meanwhile another worker runs the job as well, so every job is idempotent. */
export async function holdLease<T>(lease: Lease, log: Logger, held: HeldLeases, work: () => Promise<T>): Promise<T> {
  const failures = newFailureLog(log, 'lease.not_renewed')
  const timer = setInterval(() => {
    lease.renew().then(failures.worked, (error: unknown) => failures.failed(error, {}))
  }, RENEW_EVERY_MS)
  held.add(lease)
  try {
    return await work()
  } finally {
    held.delete(lease)
    clearInterval(timer)
  }
}

/** Gives every job back that a loop could not finish in time. */
export async function releaseLeases(held: HeldLeases): Promise<void> {
  await Promise.all(Array.from(held, ({ release }) => release()))
}
