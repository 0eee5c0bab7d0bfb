// What fails in work that goes on by itself. A database that is away fails all of it, again and again: that is told sparingly and in one sentence; a
// fault of ours each time, with where it happened.
import type { Logger } from '#core/log.ts'
import { newFaultLog } from '#core/start/fault-log.ts'
import { outageOf } from './database-fault.ts'

export interface FailureLog {
  /** A piece of work, or a look for some, has failed. */
  failed: (error: unknown, fields: Record<string, unknown>) => void
  /** One has not. */
  worked: () => void
}

/** Writes faults of ours as errors under `event`, those of the database as warnings under `database.unavailable`. */
export function newFailureLog(log: Logger, event: string): FailureLog {
  const outage = newFaultLog(log, 'database.unavailable')
  return {
    failed(error, fields) {
      const sentence = outageOf(error)
      if (sentence === undefined) log.error({ err: error, ...fields }, event)
      else outage.tell(sentence)
    },
    worked: () => outage.cured(),
  }
}
