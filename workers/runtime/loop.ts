// A loop at work, and for how long it has been at one piece: one that never comes back is stuck, and its process is to be restarted.
import type { Checks } from '#core/platform/process/health-checks.ts'

export interface Loop extends AsyncDisposable {
  /** For how long the piece of work that has run longest has been running; 0 when none runs. */
  busyForMs: () => number
  /** Gives what it still has under a lease to other workers; for a loop that has had its time. */
  releaseLease?: () => Promise<void>
  /** What it needs besides database and notifier. */
  checks?: Checks
  /** Rejects with what keeps it from ever going on; never resolves. */
  failed?: Promise<never>
}

export interface Stopwatch {
  time<Result>(work: () => Promise<Result>): Promise<Result>
  longestMs: () => number
}

/** Watches pieces of work that run side by side. */
export function newStopwatch(): Stopwatch {
  const starts = new Set<{ at: number }>()
  return {
    async time(work) {
      const start = { at: performance.now() }
      starts.add(start)
      try {
        return await work()
      } finally {
        starts.delete(start)
      }
    },
    longestMs: () => Math.max(0, ...Array.from(starts, ({ at }) => performance.now() - at)),
  }
}
