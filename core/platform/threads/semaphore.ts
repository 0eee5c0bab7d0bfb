// Lets a bounded number of jobs run at once and a bounded number wait. Jobs wait here and not in the thread pool, so that a job's time limit starts
// with its work.
import { DomainError } from '#core/platform/errors/domain-error.ts'

export interface SemaphoreOptions {
  readonly places: number
  readonly maxWaiting: number
  /** The longest wait before SERVICE_UNAVAILABLE; absent: no limit. */
  readonly waitSeconds?: number | undefined
  /** The Retry-After of a rejected caller. */
  readonly retryAfterSeconds: number
  /** Called for each rejected caller, not for an aborted wait or after `close`. */
  readonly onRefused?: () => void
}

export interface Semaphore {
  /** Resolves when a place is free, in order of arrival; the caller has to call `release` afterwards. Rejects with SERVICE_UNAVAILABLE when too many
   *  callers wait or the wait was too long, and with the signal's reason when it is aborted meanwhile. */
  acquire(signal?: AbortSignal): Promise<void>
  release(): void
  /** Rejects waiting and further callers, and resolves when every place is released. */
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
    async acquire(signal) {
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
        // A caller that got its place in the same moment keeps it and releases it as usual.
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
    release() {
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
