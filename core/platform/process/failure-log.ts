// Logs failures of background work. An unavailable dependency fails all of it repeatedly: that is throttled to one sentence; a bug is logged each
// time with its stack.
import type { Logger } from '#core/platform/log.ts'
import { outageOf } from '#core/platform/postgres/startup-error.ts'
import { newThrottledLog } from './throttled-log.ts'
import { StartupError } from '../errors/startup-error.ts'

export interface FailureLog {
  /** A unit of work, or the poll for one, has failed. */
  failed: (error: unknown, fields: Record<string, unknown>) => void
  /** One has succeeded. */
  worked: () => void
}

/** Writes bugs as errors under `event`, database outages as warnings under `database.unavailable`. A StartupError is logged by the monitor of its
 *  dependency. */
export function newFailureLog(log: Logger, event: string): FailureLog {
  const outage = newThrottledLog(log, 'database.unavailable')
  return {
    failed(error, fields) {
      const sentence = outageOf(error)
      if (sentence !== undefined) outage.report(sentence)
      else if (error instanceof StartupError) log.debug({ reason: error.message, ...fields }, event)
      else log.error({ err: error, ...fields }, event)
    },
    worked: () => outage.recovered(),
  }
}
