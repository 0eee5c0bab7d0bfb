// A running loop and how long its longest step has been running: a loop that never comes back is stuck, and its process has to be restarted.
import type { Checks } from '#core/platform/process/health-checks.ts'

export interface Loop extends AsyncDisposable {
  /** How long the longest running step has been running; 0 when none runs. */
  busyForMs: () => number
  /** Releases the leases that it still holds, after its deadline. */
  releaseLease?: () => Promise<void>
  /** Checks besides database and notifier. */
  checks?: Checks
  /** What it has opened, for a person. */
  lines?: readonly string[]
  /** Rejects when it can never go on; never resolves. */
  failed?: Promise<never>
}

export interface Stopwatch {
  time<Result>(work: () => Promise<Result>): Promise<Result>
  longestMs: () => number
}

/** Times steps that run side by side. */
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
