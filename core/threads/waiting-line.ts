// Lets a bounded number of jobs run at once and a bounded number wait. Jobs wait here and not inside of the thread pool, so that
// a job's time limit starts with its work and not with its waiting.
import { DomainError } from '#core/errors/domain-error.ts'

export interface WaitingLineOptions {
  readonly places: number
  readonly maxWaiting: number
  /** Told to a caller for whom there is no room. */
  readonly retryAfterSeconds: number
}

export interface WaitingLine {
  /**
   * Resolves when a place is free, in order of arrival; each entry is to be followed by one `leave`. Rejects with
   * SERVICE_UNAVAILABLE when too many wait already, and with the signal's reason when it is aborted meanwhile.
   */
  enter(signal?: AbortSignal): Promise<void>
  leave(): void
}

export function openWaitingLine({ places, maxWaiting, retryAfterSeconds }: WaitingLineOptions): WaitingLine {
  const waiting: (() => void)[] = []
  let free = places
  return {
    async enter(signal) {
      signal?.throwIfAborted()
      if (free > 0) {
        free--
        return
      }
      if (waiting.length >= maxWaiting) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfterSeconds })
      const turn = Promise.withResolvers<void>()
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(turn.resolve), 1)
        turn.reject(signal?.reason)
      }
      waiting.push(turn.resolve)
      signal?.addEventListener('abort', giveUp, { once: true })
      await turn.promise.finally(() => signal?.removeEventListener('abort', giveUp))
    },
    leave() {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    },
  }
}
