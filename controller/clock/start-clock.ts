// Scheduled jobs: each runs at its interval, one run at a time; a failed run is logged and retried at the next interval.
import type { Logger } from '#core/platform/log.ts'
import { sweepRuns, sweepLastSuccess, sweepRows } from '#core/platform/metrics/metrics.ts'
import { type FailureLog, newFailureLog } from '#core/platform/process/failure-log.ts'
import { type Checks, required } from '#core/platform/process/health-checks.ts'
import { waitAtMost } from '#core/platform/process/with-timeout.ts'

export interface ClockJob {
  name: string
  everySeconds: number
  /** Processes one batch and returns its size; a batch that found something is followed by another at once. */
  run: () => Promise<number>
}

/** The longest delay of a Node timer; beyond it Node fires every millisecond. */
const LONGEST_INTERVAL_MS = 2 ** 31 - 1

/** Batches that are unfinished after this are abandoned: closing the connection frees their rows. */
const FINISH_WITHIN_MS = 10_000
/** Far longer than any batch takes. */
const STUCK_AFTER_MS = 10 * 60_000

export interface Clock extends AsyncDisposable {
  /** One check: whether every job makes progress. */
  alive: Checks
}

/** Runs the jobs until disposed; disposing waits up to ten seconds for running batches. */
export function startClock(jobs: readonly ClockJob[], log: Logger): Clock {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  const failures = newFailureLog(log, 'sweep.failed')
  const batchAt = new Map<string, number>()
  for (const { name } of jobs) for (const outcome of ['done', 'failed']) sweepRuns.inc({ sweep: name, outcome }, 0)
  const timers = jobs.map((job) => {
    const everyMs = Math.min(job.everySeconds * 1000, LONGEST_INTERVAL_MS)
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      const timed = {
        ...job,
        run: () => {
          batchAt.set(job.name, Date.now())
          return job.run()
        },
      }
      const run = runJob(timed, log, failures, stop.signal).finally(() => {
        busy = false
        batchAt.delete(job.name)
        running.delete(run)
      })
      running.add(run)
    }, everyMs)
  })
  return {
    alive: {
      clock: required(async () => {
        const stuck = [...batchAt].find(([, at]) => Date.now() - at > STUCK_AFTER_MS)
        if (stuck) throw new Error(`${stuck[0]}: at one batch for ${Math.round((Date.now() - stuck[1]) / 1000)} s`)
      }),
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      for (const timer of timers) clearInterval(timer)
      await waitAtMost(Promise.all(running), FINISH_WITHIN_MS)
    },
  }
}

async function runJob({ name, run }: ClockJob, log: Logger, failures: FailureLog, signal: AbortSignal): Promise<void> {
  try {
    const startedAt = performance.now()
    let count = 0
    while (!signal.aborted) {
      const done = await run()
      if (done === 0) break
      count += done
      sweepRows.inc({ sweep: name }, done)
    }
    failures.worked()
    sweepRuns.inc({ sweep: name, outcome: 'done' })
    sweepLastSuccess.setToCurrentTime({ sweep: name })
    if (count > 0) log.info({ sweep: name, count, durationMs: Math.round(performance.now() - startedAt) }, 'sweep.completed')
  } catch (error) {
    sweepRuns.inc({ sweep: name, outcome: 'failed' })
    failures.failed(error, { sweep: name })
  }
}
