// What runs by the clock: each job at its interval, one run at a time, a failed run logged and tried at the next.
import type { Logger } from '#core/log.ts'

export interface ClockJob {
  name: string
  everySeconds: number
  /** Does one batch and answers how much it did; a batch that found something is followed by another at once. */
  run: () => Promise<number>
}

/** The most that a timer takes; beyond it Node fires every millisecond. */
const LONGEST_INTERVAL_MS = 2 ** 31 - 1

/** Runs the jobs until disposed; disposing waits for the batch that is under way, not for the rest. */
export function startClock(jobs: readonly ClockJob[], log: Logger): AsyncDisposable {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  const timers = jobs.map((job) => {
    const everyMs = Math.min(job.everySeconds * 1000, LONGEST_INTERVAL_MS)
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      const run = runJob(job, log, stop.signal).finally(() => {
        busy = false
        running.delete(run)
      })
      running.add(run)
    }, everyMs)
  })
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}

async function runJob({ name, run }: ClockJob, log: Logger, signal: AbortSignal): Promise<void> {
  try {
    const startedAt = performance.now()
    let count = 0
    while (!signal.aborted) {
      const done = await run()
      if (done === 0) break
      count += done
    }
    if (count > 0) log.info({ job: name, count, durationMs: Math.round(performance.now() - startedAt) }, 'clock.swept')
  } catch (error) {
    log.error({ err: error, job: name }, 'clock.failed')
  }
}
