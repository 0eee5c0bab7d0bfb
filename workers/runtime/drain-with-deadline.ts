// Ends a loop within the process's grace period: running jobs get some seconds, then their leases are released.
import type { Logger } from '#core/platform/log.ts'
import type { Loop } from './loop.ts'

const FINISH_WITHIN_MS = 10_000
/** Leaves time to release the leases and to close connections before the process gives up (`runProcess`). */
const FINISH_WITHIN_AT_MOST_MS = 18_000
/** Without the database the leases expire, and other workers take the jobs over. */
const RELEASE_WITHIN_MS = 3_000

/** Takes no new jobs, and resolves when running jobs have finished, or their deadline has passed and their leases are released. The deadline is the loop's, but
 *  at most `mostMs`. */
export async function drainWithDeadline(name: string, loop: Loop, log: Logger, mostMs = FINISH_WITHIN_AT_MOST_MS): Promise<void> {
  const withinMs = Math.min(loop.finishWithinMs ?? FINISH_WITHIN_MS, mostMs)
  if (await settlesWithin(withinMs, loop[Symbol.asyncDispose]())) return
  log.warn({ role: name, withinMs }, 'role.drain_timed_out')
  try {
    const isReleased = await settlesWithin(RELEASE_WITHIN_MS, loop.releaseLease?.())
    if (!isReleased) log.warn({ role: name, withinMs: RELEASE_WITHIN_MS }, 'role.lease_not_released')
  } catch (err) {
    log.warn({ role: name, err }, 'role.lease_not_released')
  }
}

/** Rejects when the work rejects within the time limit. */
async function settlesWithin(ms: number, work: PromiseLike<void> | undefined): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), ms)
  const done = Promise.resolve(work).then(() => true)
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}
