// Faults that last, told sparingly: when they are new or have changed, then once a minute, and once when they are over.
import type { Logger } from '#core/platform/log.ts'

const REPEAT_AFTER_MS = 60_000

export interface ThrottledLog {
  /** The fault is there, still or anew; answers whether that was news. */
  tell(sentence: string): boolean
  /** It is over, if there was one. */
  cured(): void
}

/** Writes warnings under `event`, and the end of what was told under `<event>.resolved`. */
export function newThrottledLog(log: Logger, event: string): ThrottledLog {
  let told: { sentence: string; at: number } | undefined
  let current: { since: number; isTold: boolean } | undefined
  const secondsSince = (since: number): number => Math.round((performance.now() - since) / 1000)
  return {
    tell(sentence) {
      const now = performance.now()
      current ??= { since: now, isTold: false }
      // Also across its end: what comes and goes with every try is one fault.
      if (told?.sentence === sentence && now - told.at < REPEAT_AFTER_MS) return false
      told = { sentence, at: now }
      current.isTold = true
      log.warn({ reason: sentence, forSeconds: secondsSince(current.since) }, event)
      return true
    },
    cured() {
      if (current?.isTold) log.info({ afterSeconds: secondsSince(current.since) }, `${event}.resolved`)
      current = undefined
    },
  }
}
