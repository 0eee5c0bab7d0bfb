// What runs by the clock: each job at its interval, one run at a time, a failed run logged and tried at the next.
import type { Logger } from '#core/log.ts'

export interface ClockJob {
  name: string
  everySeconds: number
  /** Does one batch and answers how much it did; a full batch is followed by another at once. */
  run: () => Promise<number>
}

/** Runs the jobs until disposed; disposing waits for a run that is under way. */
export function startClock(jobs: readonly ClockJob[], log: Logger): AsyncDisposable {
  const running = new Set<Promise<void>>()
  const timers = jobs.map((job) => {
    let busy = false
    return setInterval(() => {
      if (busy) return
      busy = true
      const run = runJob(job, log).finally(() => {
        busy = false
        running.delete(run)
      })
      running.add(run)
    }, job.everySeconds * 1000)
  })
  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}

async function runJob({ name, run }: ClockJob, log: Logger): Promise<void> {
  try {
    const startedAt = performance.now()
    let count = 0
    for (let done = await run(); done > 0; done = await run()) count += done
    if (count > 0) log.info({ job: name, count, durationMs: Math.round(performance.now() - startedAt) }, 'clock.swept')
  } catch (error) {
    log.error({ err: error, job: name }, 'clock.failed')
  }
}
