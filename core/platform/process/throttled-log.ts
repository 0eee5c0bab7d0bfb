// Logs a lasting error sparingly: when it is new or has changed, then once a minute, and once when it is over.
import type { Logger } from '#core/platform/log.ts'

const REPEAT_AFTER_MS = 60_000

export interface ThrottledLog {
  /** Reports the error, new or lasting; returns whether it was logged. */
  tell(sentence: string): boolean
  /** Reports that it is over, if there was one. */
  cured(): void
}

/** Writes warnings under `event`, and their end under `<event>.over`. */
export function newThrottledLog(log: Logger, event: string): ThrottledLog {
  let told: { sentence: string; at: number } | undefined
  let current: { since: number; isTold: boolean } | undefined
  const secondsSince = (since: number): number => Math.round((performance.now() - since) / 1000)
  return {
    tell(sentence) {
      const now = performance.now()
      current ??= { since: now, isTold: false }
      // Even if it was over in between: an error that comes and goes with every attempt is one error.
      if (told?.sentence === sentence && now - told.at < REPEAT_AFTER_MS) return false
      told = { sentence, at: now }
      current.isTold = true
      log.warn({ fault: sentence, forSeconds: secondsSince(current.since) }, event)
      return true
    },
    cured() {
      if (current?.isTold) log.info({ afterSeconds: secondsSince(current.since) }, `${event}.over`)
      current = undefined
    },
  }
}
