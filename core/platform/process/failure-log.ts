// What fails in work that goes on by itself. A part that is away fails all of it, again and again: that is told sparingly and in one sentence; a
// fault of ours each time, with where it happened.
import type { Logger } from '#core/platform/log.ts'
import { outageOf } from '#core/platform/postgres/startup-error.ts'
import { newThrottledLog } from './throttled-log.ts'
import { StartupError } from './startup-error.ts'

export interface FailureLog {
  /** A piece of work, or a look for some, has failed. */
  failed: (error: unknown, fields: Record<string, unknown>) => void
  /** One has not. */
  worked: () => void
}

/** Writes faults of ours as errors under `event`, those of the database as warnings under `database.unavailable`. A StartupError is that of a part
 *  whose watcher tells it. */
export function newFailureLog(log: Logger, event: string): FailureLog {
  const outage = newThrottledLog(log, 'database.unavailable')
  return {
    failed(error, fields) {
      const sentence = outageOf(error)
      if (sentence !== undefined) outage.tell(sentence)
      else if (error instanceof StartupError) log.debug({ reason: error.message, ...fields }, event)
      else log.error({ err: error, ...fields }, event)
    },
    worked: () => outage.cured(),
  }
}
