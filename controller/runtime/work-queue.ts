// The keys that wait for a reconcile: each at most once, and never two reconciles of one key at a time.
import { queueAdds, queueDepth, queueDuration, queueRetries } from '#core/platform/metrics/controller-metrics.ts'
import { backoffMs } from './backoff.ts'
import { type DelayedKeys, newDelayedKeys } from './delayed-keys.ts'
import type { RuntimeClock } from './runtime-clock.ts'
import { type TokenBucket, newTokenBucket } from './token-bucket.ts'

/** `live`: something changed. `resync`: a sweep or a relist found it; taken only when no live key waits. */
export type Priority = 'live' | 'resync'

export interface WorkQueue extends Disposable {
  /** Queues the key. While it is reconciled it is queued again when that ends. */
  add(key: string, priority?: Priority): void
  /** Queues the key after this time; of several times the earliest counts. */
  addAfter(key: string, ms: number): void
  /** Queues the key after a delay that grows with the failures in a row: 1 s to 5 min. */
  retry(key: string): void
  /** Ends the series of failures of the key. */
  forget(key: string): void
  /** The next key; undefined when the signal is aborted or the queue disposed. The caller must call `done` with it. */
  take(signal: AbortSignal): Promise<string | undefined>
  /** The reconcile of the key has ended. */
  done(key: string): void
  /** Keys that could be taken now. */
  depth(): number
}

const RETRY_LIMITS = { firstMs: 1000, longestMs: 5 * 60_000 }
/** All retries of a queue together: a lasting failure of a dependency must not become a burst against it. */
const RETRY_BUCKET = { burst: 100, everyMs: 100 }

/** An empty queue; `name` is its label in the metrics. */
export function newWorkQueue(name: string, clock: RuntimeClock, random: () => number = Math.random): WorkQueue {
  return new KeyQueue(name, clock, random)
}

class KeyQueue implements WorkQueue {
  readonly #name: string
  readonly #clock: RuntimeClock
  readonly #random: () => number
  /** Keys in the order of arrival, with the time of arrival. */
  readonly #waiting: Record<Priority, Map<string, number>> = { live: new Map(), resync: new Map() }
  readonly #active = new Set<string>()
  /** Added while active. */
  readonly #dirty = new Map<string, Priority>()
  readonly #failures = new Map<string, number>()
  readonly #takers = new Set<() => void>()
  readonly #bucket: TokenBucket
  readonly #delayed: DelayedKeys
  #isDisposed = false

  constructor(name: string, clock: RuntimeClock, random: () => number) {
    this.#name = name
    this.#clock = clock
    this.#random = random
    this.#bucket = newTokenBucket(RETRY_BUCKET, clock)
    this.#delayed = newDelayedKeys(clock, (key) => this.add(key))
    queueDepth.set({ name }, 0)
    for (const counter of [queueAdds, queueRetries]) counter.inc({ name }, 0)
  }

  add(key: string, priority: Priority = 'live'): void {
    if (this.#isDisposed || this.#isWaiting(key, priority)) return
    if (this.#active.has(key)) this.#dirty.set(key, priority)
    else this.#enqueue(key, priority)
  }

  addAfter(key: string, ms: number): void {
    if (this.#isDisposed) return
    if (ms <= 0) this.add(key)
    else this.#delayed.add(key, ms)
  }

  retry(key: string): void {
    const count = (this.#failures.get(key) ?? 0) + 1
    this.#failures.set(key, count)
    queueRetries.inc({ name: this.#name })
    this.addAfter(key, Math.max(backoffMs(count, RETRY_LIMITS, this.#random), this.#bucket.reserve()))
  }

  forget(key: string): void {
    this.#failures.delete(key)
  }

  async take(signal: AbortSignal): Promise<string | undefined> {
    while (!this.#isDisposed && !signal.aborted) {
      const key = this.#next()
      if (key !== undefined) return key
      await this.#added(signal)
    }
    // The wake-up of this taker may have been for a key that another can take.
    if (this.depth() > 0) this.#wakeOne()
    return undefined
  }

  done(key: string): void {
    this.#active.delete(key)
    const priority = this.#dirty.get(key)
    this.#dirty.delete(key)
    if (priority) this.add(key, priority)
  }

  depth(): number {
    return this.#waiting.live.size + this.#waiting.resync.size
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.#delayed[Symbol.dispose]()
    for (const wake of this.#takers) wake()
  }

  /** Whether the key waits with this priority or a higher one. */
  #isWaiting(key: string, priority: Priority): boolean {
    if (this.#waiting.live.has(key) || this.#dirty.get(key) === 'live') return true
    return priority === 'resync' && (this.#waiting.resync.has(key) || this.#dirty.has(key))
  }

  #enqueue(key: string, priority: Priority): void {
    const since = this.#waiting.resync.get(key) ?? this.#clock.elapsedMs()
    this.#waiting.resync.delete(key)
    this.#waiting[priority].set(key, since)
    queueAdds.inc({ name: this.#name })
    queueDepth.set({ name: this.#name }, this.depth())
    this.#wakeOne()
  }

  #next(): string | undefined {
    const queue = this.#waiting.live.size > 0 ? this.#waiting.live : this.#waiting.resync
    const [first] = queue
    if (!first) return undefined
    const [key, since] = first
    queue.delete(key)
    this.#active.add(key)
    queueDepth.set({ name: this.#name }, this.depth())
    queueDuration.observe({ name: this.#name }, (this.#clock.elapsedMs() - since) / 1000)
    return key
  }

  #wakeOne(): void {
    const [wake] = this.#takers
    wake?.()
  }

  async #added(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = (): void => {
      this.#takers.delete(wake)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    this.#takers.add(wake)
    signal.addEventListener('abort', wake, { once: true })
    await promise
  }
}
