// A worker holds a job under a short lease that it renews: when the worker dies the job is free within seconds, and no other worker takes a running
// job, however long it runs.
import type { Logger } from '#core/platform/log.ts'
import { newFailureLog } from '#core/platform/process/failure-log.ts'

/** A job goes to another worker this long after the last renewal. */
export const LEASE_SECONDS = 10
export const RENEW_EVERY_MS = 3_000

export interface Lease {
  renew: () => Promise<void>
  /** Frees the job for another worker at once. This worker can then neither renew the lease nor record a failure. */
  release: () => Promise<void>
}

/** The leases that a loop holds now. */
export type HeldLeases = Set<Lease>

/** Runs `work` and renews the lease until it settles; meanwhile the lease is in `held`. A failed renewal is logged and the work continues: if the
 *  lease ends, another worker runs the job too, so every job has to be idempotent. */
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

/** Releases every job that a loop could not finish in time. */
export async function releaseLeases(held: HeldLeases): Promise<void> {
  await Promise.all(Array.from(held, ({ release }) => release()))
}
