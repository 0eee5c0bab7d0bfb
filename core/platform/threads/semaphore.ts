// Lets a bounded number of jobs run at once and a bounded number wait. Jobs wait here and not in the thread pool, so that a job's time limit starts
// with its work.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { openTurns } from './turns.ts'

export interface SemaphoreOptions {
  readonly places: number
  /** How many of them one owner has at most; absent: all. */
  readonly placesPerOwner?: number | undefined
  /** Per owner. */
  readonly maxWaiting: number
  /** The longest wait before SERVICE_UNAVAILABLE; absent: no limit. */
  readonly waitSeconds?: number | undefined
  /** The Retry-After of a rejected caller. */
  readonly retryAfterSeconds: number
  /** Called for each rejected caller, not for an aborted wait or after `close`. */
  readonly onRefused?: () => void
}

export interface SemaphoreCaller {
  /** For whom the job is; callers without an owner share one turn. */
  readonly owner?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Semaphore {
  /** Resolves with the function that gives the place back. Owners get free places in turn, the callers of an owner in order of arrival. Rejects with
   *  SERVICE_UNAVAILABLE when too many callers of this owner wait or the wait was too long, and with the signal's reason when it is aborted meanwhile. */
  acquire(caller?: SemaphoreCaller): Promise<() => void>
  /** Rejects waiting and further callers, and resolves when every place is free. */
  close(): Promise<void>
}

export function openSemaphore(options: SemaphoreOptions): Semaphore {
  const { places, placesPerOwner = places, maxWaiting, waitSeconds, retryAfterSeconds, onRefused } = options
  const turns = openTurns({ places, placesPerOwner })
  const left = Promise.withResolvers<void>()
  let closed = false
  const refusal = (): DomainError => new DomainError('SERVICE_UNAVAILABLE', { retryAfterSeconds })
  const refused = (): DomainError => {
    onRefused?.()
    return refusal()
  }
  const resolveWhenLeft = (): void => {
    if (closed && turns.isIdle()) left.resolve()
  }
  return {
    async acquire({ owner = '', signal } = {}) {
      signal?.throwIfAborted()
      if (closed) throw refusal()
      if ((turns.waitingOf(owner) ?? -1) >= maxWaiting) throw refused()
      const turn = Promise.withResolvers<void>()
      // A caller that gets its place in the same moment keeps it and releases it as usual.
      const takeOut = (reasonOf: () => unknown): void => {
        for (const { reject } of turns.remove(owner, turn)) reject(reasonOf())
      }
      const giveUp = (): void => takeOut(() => signal?.reason)
      turns.enter(owner, turn)
      signal?.addEventListener('abort', giveUp, { once: true })
      const timer = waitSeconds && setTimeout(() => takeOut(refused), waitSeconds * 1000)
      await turn.promise.finally(() => {
        signal?.removeEventListener('abort', giveUp)
        clearTimeout(timer)
      })
      return () => {
        turns.leave(owner)
        resolveWhenLeft()
      }
    },
    close() {
      closed = true
      for (const { reject } of turns.removeAll()) reject(refusal())
      resolveWhenLeft()
      return left.promise
    },
  }
}
