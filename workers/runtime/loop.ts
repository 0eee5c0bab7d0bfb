// A running loop and how long its longest step has been running: a step that never ends means that the process must be restarted.
import type { Checks } from '#core/platform/process/health-checks.ts'

export interface Loop extends AsyncDisposable {
  /** How long the longest running step has been running; 0 when none runs. */
  busyForMs: () => number
  /** How long its running work may take after a stop; absent: 10 s. */
  finishWithinMs?: number
  /** Releases the leases that it still holds, after its deadline. */
  releaseLease?: () => Promise<void>
  /** Checks besides database and notifier. */
  checks?: Checks
  /** The dependencies that it opened, one line each. */
  lines?: readonly string[]
  /** Rejects on a fatal error; never resolves. */
  failed?: Promise<never>
}

export interface Stopwatch {
  time<Result>(work: () => Promise<Result>): Promise<Result>
  longestMs: () => number
}

/** Measures steps that run concurrently. */
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
