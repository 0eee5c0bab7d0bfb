// Lets a bounded number of jobs run at once and a bounded number wait. Jobs wait here and not inside of the thread pool, so that
// a job's time limit starts with its work and not with its waiting.
import { DomainError } from '#core/platform/errors/domain-error.ts'

export interface SemaphoreOptions {
  readonly places: number
  readonly maxWaiting: number
  /** Whoever has waited so long is refused; absent: nobody is. */
  readonly waitSeconds?: number | undefined
  /** Told to a caller for whom there is no room. */
  readonly retryAfterSeconds: number
  /** Is called for each of those, and for nobody who leaves or is sent away by the end. */
  readonly onRefused?: () => void
}

export interface Semaphore {
  /**
   * Resolves when a place is free, in order of arrival; each entry is to be followed by one `leave`. Rejects with
   * SERVICE_UNAVAILABLE when too many wait already or the wait was too long, and with the signal's reason when it is aborted meanwhile.
   */
  withSigningLink(signal?: AbortSignal): Promise<void>
  leave(): void
  /** Refuses who waits and whoever comes from now on, and resolves when the last who was let in has left. */
  close(): Promise<void>
}

export function openSemaphore(options: SemaphoreOptions): Semaphore {
  const { places, maxWaiting, waitSeconds, retryAfterSeconds, onRefused } = options
  const waiting: PromiseWithResolvers<void>[] = []
  const left = Promise.withResolvers<void>()
  let free = places
  let closed = false
  const refusal = (): DomainError => new DomainError('SERVICE_UNAVAILABLE', { retryAfterSeconds })
  const refused = (): DomainError => {
    onRefused?.()
    return refusal()
  }
  const resolveWhenLeft = (): void => {
    if (closed && free === places) left.resolve()
  }
  return {
    async withSigningLink(signal) {
      signal?.throwIfAborted()
      if (closed) throw refusal()
      if (free > 0) {
        free--
        return
      }
      if (waiting.length >= maxWaiting) throw refused()
      const turn = Promise.withResolvers<void>()
      const takeOut = (reasonOf: () => unknown): void => {
        const index = waiting.indexOf(turn)
        // Whose turn has just come is in: the place is given back as any other.
        if (index < 0) return
        waiting.splice(index, 1)
        turn.reject(reasonOf())
      }
      const giveUp = (): void => takeOut(() => signal?.reason)
      waiting.push(turn)
      signal?.addEventListener('abort', giveUp, { once: true })
      const timer = waitSeconds && setTimeout(() => takeOut(refused), waitSeconds * 1000)
      await turn.promise.finally(() => {
        signal?.removeEventListener('abort', giveUp)
        clearTimeout(timer)
      })
    },
    leave() {
      const next = waiting.shift()
      if (next === undefined) free++
      else next.resolve()
      resolveWhenLeft()
    },
    close() {
      closed = true
      for (const turn of waiting.splice(0)) turn.reject(refusal())
      resolveWhenLeft()
      return left.promise
    },
  }
}
