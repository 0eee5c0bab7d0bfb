// A token bucket on the runtime's clock.
import type { RuntimeClock } from './runtime-clock.ts'

export interface TokenBucket {
  /** Takes a token if there is one. */
  tryTake(): boolean
  /** Takes a token, possibly in advance, and returns the milliseconds until it is due. */
  reserve(): number
}

/** Starts full with `burst` tokens and gains one every `everyMs`. */
export function newTokenBucket({ burst, everyMs }: { burst: number; everyMs: number }, clock: RuntimeClock): TokenBucket {
  let tokens = burst
  let countedAt = clock.elapsedMs()
  const refill = (): void => {
    const now = clock.elapsedMs()
    tokens = Math.min(burst, tokens + (now - countedAt) / everyMs)
    countedAt = now
  }
  return {
    tryTake() {
      refill()
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    reserve() {
      refill()
      tokens -= 1
      return tokens >= 0 ? 0 : -tokens * everyMs
    },
  }
}
