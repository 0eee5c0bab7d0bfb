// Runs reconciles of the keys of a queue and acts on their outcomes.
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import type { Logger } from '#core/platform/log.ts'
import { reconcileDuration, reconcileErrors, reconciles } from '#core/platform/metrics/controller-metrics.ts'
import { type RuntimeClock, wait } from './runtime-clock.ts'
import { type FailureLog, newFailureLog } from './failure-log.ts'
import type { WorkQueue } from './work-queue.ts'

/** `refuse` is terminal: no retry until the object changes; the reconcile has reported the reason. A thrown error is retried. */
export type Outcome = { kind: 'done' } | { kind: 'after'; ms: number } | { kind: 'refuse'; reason: string }

export interface ReconcilerOptions {
  /** The label in the metrics and in the log. */
  name: string
  concurrency: number
  queue: WorkQueue
  /** Gets a key, never an event: it may run twice, late or on outdated data. When the signal is aborted it ends before its next effect. */
  reconcile: (key: string, signal: AbortSignal) => Promise<Outcome>
  /** Aborted when the work has to end, for example with a leadership: what ends with it is no failure. */
  signal?: AbortSignal
  clock: RuntimeClock
  log: Logger
}

/** Disposing aborts the running reconciles and waits for them for at most ten seconds. */
export interface Reconciler extends AsyncDisposable {
  /** How long the longest running reconcile has been running; 0 without one. */
  oldestMs(): number
  /** Reconciles that run now. */
  active(): number
}

/** A conflict means that the cache was outdated: the retry needs no delay, but a bound. */
const MOST_CONFLICTS = 5
const FINISH_WITHIN_MS = 10_000
const RESULTS = ['success', 'requeue_after', 'requeue', 'refused', 'error'] as const

/** Reconciles up to `concurrency` keys at the same time until disposed. A failure affects its own key alone. */
export function startReconciler(options: ReconcilerOptions): Reconciler {
  return new QueueReconciler(options)
}

class QueueReconciler implements Reconciler {
  readonly #options: ReconcilerOptions
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  readonly #startedAt = new Map<string, number>()
  readonly #conflicts = new Map<string, number>()
  readonly #failures: FailureLog
  readonly #loops: Promise<void>[]

  constructor(options: ReconcilerOptions) {
    const { name: controller, concurrency, log, signal } = options
    this.#options = options
    this.#signal = signal ? AbortSignal.any([this.#stop.signal, signal]) : this.#stop.signal
    this.#failures = newFailureLog(log, 'reconcile.failed')
    for (const result of RESULTS) reconciles.inc({ controller, result }, 0)
    reconcileErrors.inc({ controller }, 0)
    this.#loops = Array.from({ length: concurrency }, () => this.#loop())
  }

  oldestMs(): number {
    const now = this.#options.clock.elapsedMs()
    return now - Math.min(now, ...this.#startedAt.values())
  }

  active(): number {
    return this.#startedAt.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { name, clock, log } = this.#options
    this.#stop.abort()
    const ended = new AbortController()
    await Promise.race([Promise.all(this.#loops), wait(clock, FINISH_WITHIN_MS, ended.signal)])
    ended.abort()
    const late = [...this.#startedAt.keys()]
    if (late.length > 0) log.warn({ controller: name, keys: late }, 'reconcile.abandoned')
  }

  async #loop(): Promise<void> {
    const { queue } = this.#options
    const signal = this.#signal
    for (let key = await queue.take(signal); key !== undefined; key = await queue.take(signal)) await this.#run(key)
  }

  async #run(key: string): Promise<void> {
    const { name, queue, reconcile, clock } = this.#options
    const signal = this.#signal
    const startedAt = clock.elapsedMs()
    this.#startedAt.set(key, startedAt)
    try {
      this.#settle(key, await reconcile(key, signal))
    } catch (error) {
      if (!signal.aborted) this.#fail(key, error)
    } finally {
      this.#startedAt.delete(key)
      reconcileDuration.observe({ controller: name }, (clock.elapsedMs() - startedAt) / 1000)
      queue.done(key)
    }
  }

  #settle(key: string, outcome: Outcome): void {
    const { name, queue, log } = this.#options
    this.#failures.worked()
    this.#conflicts.delete(key)
    queue.forget(key)
    switch (outcome.kind) {
      case 'done':
        return this.#count('success')
      case 'after':
        queue.addAfter(key, outcome.ms)
        return this.#count('requeue_after')
      case 'refuse':
        log.info({ controller: name, key, reason: outcome.reason }, 'reconcile.refused')
        return this.#count('refused')
    }
  }

  #fail(key: string, error: unknown): void {
    const { name, queue } = this.#options
    const conflicts = error instanceof KubeError && error.status === 409 ? (this.#conflicts.get(key) ?? 0) + 1 : 0
    if (conflicts > 0 && conflicts <= MOST_CONFLICTS) {
      this.#conflicts.set(key, conflicts)
      queue.add(key)
      return this.#count('requeue')
    }
    this.#conflicts.delete(key)
    reconcileErrors.inc({ controller: name })
    this.#count('error')
    this.#failures.failed(error, { controller: name, key })
    queue.retry(key)
  }

  #count(result: (typeof RESULTS)[number]): void {
    reconciles.inc({ controller: this.#options.name, result })
  }
}
