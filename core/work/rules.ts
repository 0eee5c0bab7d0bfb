// Which jobs are not tried again.
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
