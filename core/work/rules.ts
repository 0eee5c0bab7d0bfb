// Which jobs are not tried again, and what a job costs.
import { MAX_LOST_ATTEMPTS } from '#core/limits.ts'

interface Counts {
  attempts: number
  failures: number
  outages: number
  released: number
}

/** Attempts before the current one without a recorded result: their workers died, or lost the database. */
export function lostAttempts({ attempts, failures, outages, released }: Counts): number {
  return attempts - 1 - failures - outages - released
}

/** True for a job that may be what kills its workers. */
export function killsWorkers(counts: Counts): boolean {
  return lostAttempts(counts) >= MAX_LOST_ATTEMPTS
}

/** Jobs that a process has finished, and the sum of their durations. */
export interface Finished {
  jobs: number
  seconds: number
}

/** Number of jobs: a cost that has changed shows by half after so many. */
const HALF_LIFE = 100

/** How long a process needs for one of these jobs, and how much that counts against earlier ones; undefined without a job. Attempts that run at a time
 *  share the process: while it is busy, each takes `concurrency` times as long as the process needs for it. */
export function costOf({ jobs, seconds }: Finished, concurrency: number): { seconds: number; weight: number } | undefined {
  if (jobs <= 0) return undefined
  return { seconds: seconds / jobs / concurrency, weight: 1 - 0.5 ** (jobs / HALF_LIFE) }
}
