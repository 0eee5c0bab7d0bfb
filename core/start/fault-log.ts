// Faults that last, told sparingly: when they are new or have changed, then once a minute, and once when they are over.
import type { Logger } from '#core/log.ts'

const REPEAT_AFTER_MS = 60_000

export interface FaultLog {
  /** The fault is there, still or anew. */
  tell(sentence: string): void
  /** It is over, if there was one. */
  cured(): void
}

/** Writes warnings under `event`, and its end under `<event>.over`. */
export function newFaultLog(log: Logger, event: string): FaultLog {
  let told: { sentence: string; at: number; since: number } | undefined
  const seconds = (since: number): number => Math.round((performance.now() - since) / 1000)
  return {
    tell(sentence) {
      const now = performance.now()
      if (told?.sentence === sentence && now - told.at < REPEAT_AFTER_MS) return
      told = { sentence, at: now, since: told?.since ?? now }
      log.warn({ fault: sentence, forSeconds: seconds(told.since) }, event)
    },
    cured() {
      if (told) log.info({ afterSeconds: seconds(told.since) }, `${event}.over`)
      told = undefined
    },
  }
}
