// The end of a loop within the grace that a process has: running work gets a while, and what takes longer is handed back for others.
import type { Logger } from '#core/platform/log.ts'
import type { Loop } from './loop.ts'

const FINISH_WITHIN_MS = 10_000
/** What is not handed back by then, because the database is away, is left: its lease ends, and another worker takes it up. */
const HAND_BACK_WITHIN_MS = 3_000

/** Takes no new work, and resolves when running work is finished, or has had its time and is handed back. */
export async function drainWithDeadline(name: string, loop: Loop, log: Logger, withinMs = FINISH_WITHIN_MS): Promise<void> {
  if (await settlesWithin(withinMs, loop[Symbol.asyncDispose]())) return
  log.warn({ role: name, withinMs }, 'role.left_unfinished')
  try {
    const isHandedBack = await settlesWithin(HAND_BACK_WITHIN_MS, loop.releaseLease?.())
    if (!isHandedBack) log.warn({ role: name, withinMs: HAND_BACK_WITHIN_MS }, 'role.lease_not_released')
  } catch (err) {
    log.warn({ role: name, err }, 'role.lease_not_released')
  }
}

/** Rejects when the work does so in time. */
async function settlesWithin(ms: number, work: PromiseLike<void> | undefined): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), ms)
  const done = Promise.resolve(work).then(() => true)
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}
