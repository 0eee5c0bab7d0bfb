// What runs by the clock: each job at its interval, one run at a time, a failed run logged and tried at the next.
import type { Logger } from '#core/platform/log.ts'
import { sweeps, sweptAt, sweptRows } from '#core/platform/metrics/metrics.ts'
import { type FailureLog, newFailureLog } from '#core/platform/process/failure-log.ts'
import { type Checks, required } from '#core/platform/process/health-checks.ts'
import { waitAtMost } from '#core/platform/process/with-timeout.ts'

export interface ClockJob {
  name: string
  everySeconds: number
  /** Does one batch and answers how much it did; a batch that found something is followed by another at once. */
  run: () => Promise<number>
}

/** The most that a timer takes; beyond it Node fires every millisecond. */
const LONGEST_INTERVAL_MS = 2 ** 31 - 1

/** What is not finished by then is left: its rows are free again with its connection. */
const FINISH_WITHIN_MS = 10_000
/** Far beyond what any batch may take. */
const STUCK_AFTER_MS = 10 * 60_000

export interface Clock extends AsyncDisposable {
  /** One check: does every job get anywhere. */
  alive: Checks
}

/** Runs the jobs until disposed; disposing waits for the batches that are under way, for ten seconds at most, not for the rest. */
export function startClock(jobs: readonly ClockJob[], log: Logger): Clock {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  const failures = newFailureLog(log, 'clock.failed')
  const batchAt = new Map<string, number>()
  for (const { name } of jobs) for (const outcome of ['done', 'failed']) sweeps.inc({ sweep: name, outcome }, 0)
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
      sweptRows.inc({ sweep: name }, done)
    }
    failures.worked()
    sweeps.inc({ sweep: name, outcome: 'done' })
    sweptAt.setToCurrentTime({ sweep: name })
    if (count > 0) log.info({ job: name, count, durationMs: Math.round(performance.now() - startedAt) }, 'clock.swept')
  } catch (error) {
    sweeps.inc({ sweep: name, outcome: 'failed' })
    failures.failed(error, { job: name })
  }
}
