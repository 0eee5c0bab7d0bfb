// Work taken from a table is held by a short lease that its worker keeps renewing: when the worker dies, the work is free again in seconds, and
// while it lives nobody else takes it, however long it needs.
import type { Logger } from '#core/log.ts'
import { newFailureLog } from '#core/process/failure-log.ts'

/** How long after its last sign of life a worker's work is given to another. */
export const LEASE_SECONDS = 10
const RENEW_EVERY_MS = 3_000

/** Does `work`, calling `renew` now and then until it settles. A renewal that fails is logged: the work goes on, and if the lease lapses
 *  meanwhile another worker does it as well, which every kind of work here stands. */
export async function holdLease<T>(renew: () => Promise<void>, log: Logger, work: () => Promise<T>): Promise<T> {
  const failures = newFailureLog(log, 'lease.not_renewed')
  const timer = setInterval(() => {
    renew().then(failures.worked, (error: unknown) => failures.failed(error, {}))
  }, RENEW_EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
