// The delay before the next list or watch.
import { backoffMs, jittered } from './backoff.ts'
import type { RuntimeClock } from './runtime-clock.ts'

const LIMITS = { firstMs: 1000, longestMs: 30_000 }
/** After this time without an error the next one counts as the first. */
const HEALTHY_AFTER_MS = 60_000
/** A server that closes every watch at once gets about one a second. */
const AFTER_CLOSE_MS = 800
const LONGEST_RETRY_AFTER_MS = 5 * 60_000

export interface WatchBackoff {
  /** The server has sent something. */
  received(): void
  /** The delay after a watch that the server closed without an error. */
  afterClose(): number
  /** The delay after an error: 1 s to 30 s, growing with each, or what the server wants. */
  afterError(retryAfterMs?: number): number
}

/** Delays for one reflector; `random` spreads those of several processes. */
export function newWatchBackoff(clock: RuntimeClock, random: () => number): WatchBackoff {
  let failures = 0
  let healthySince: number | undefined
  return {
    received: () => void (healthySince ??= clock.elapsedMs()),
    afterClose: () => jittered(AFTER_CLOSE_MS, random),
    afterError(retryAfterMs) {
      if (healthySince !== undefined && clock.elapsedMs() - healthySince >= HEALTHY_AFTER_MS) failures = 0
      healthySince = undefined
      failures += 1
      if (retryAfterMs === undefined) return backoffMs(failures, LIMITS, random)
      return jittered(Math.min(Math.max(retryAfterMs, LIMITS.firstMs), LONGEST_RETRY_AFTER_MS), random)
    },
  }
}
