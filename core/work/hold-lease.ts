// Work taken from a table is held by a short lease that its worker keeps renewing: when the worker dies, the work is free again in seconds, and
// while it lives nobody else takes it, however long it needs. A worker that is asked to stop hands back what it cannot finish.
import type { Logger } from '#core/platform/log.ts'
import { newFailureLog } from '#core/platform/process/failure-log.ts'

/** How long after its last sign of life a worker's work is given to another. */
export const LEASE_SECONDS = 10
const RENEW_EVERY_MS = 3_000

export interface Lease {
  renew: () => Promise<void>
  /** Frees the work for another worker at once, as nothing against it. From then on this run can neither renew its lease nor postpone the work. */
  releaseLease: () => Promise<void>
}

/** The leases that a loop holds at the moment. */
export type HeldLeases = Set<Lease>

/** Does `work`, renewing the lease now and then until it settles; meanwhile it is one of `held`. A renewal that fails is logged: the work goes on, and if
 *  the lease lapses meanwhile another worker does it as well, which every kind of work here stands. */
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

/** For a loop whose time is over: the work that it leaves is another's from now on. */
export async function releaseLeases(held: HeldLeases): Promise<void> {
  await Promise.all(Array.from(held, ({ releaseLease }) => releaseLease()))
}
