// Logs a lasting error sparingly: when it is new or has changed, then once a minute, and once when it is over.
import type { Logger } from '#core/platform/log.ts'

const REPEAT_AFTER_MS = 60_000

export interface ThrottledLog {
  /** Reports the error, new or lasting; returns whether it was logged. */
  report(sentence: string): boolean
  /** Reports that it is over, if there was one. */
  recovered(): void
}

/** Writes warnings under `event`, and their end under `<event>.resolved`. */
export function newThrottledLog(log: Logger, event: string): ThrottledLog {
  let logged: { sentence: string; at: number } | undefined
  let current: { since: number; isLogged: boolean } | undefined
  const secondsSince = (since: number): number => Math.round((performance.now() - since) / 1000)
  return {
    report(sentence) {
      const now = performance.now()
      current ??= { since: now, isLogged: false }
      // Even if it was over in between: an error that comes and goes with every attempt is one error.
      if (logged?.sentence === sentence && now - logged.at < REPEAT_AFTER_MS) return false
      logged = { sentence, at: now }
      current.isLogged = true
      log.warn({ reason: sentence, forSeconds: secondsSince(current.since) }, event)
      return true
    },
    recovered() {
      if (current?.isLogged) log.info({ afterSeconds: secondsSince(current.since) }, `${event}.resolved`)
      current = undefined
    },
  }
}
