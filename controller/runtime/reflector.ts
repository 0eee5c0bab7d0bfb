// Keeps the objects of one kind of one namespace in memory, as a list and a watch from the list on.
import type { Kube } from '#core/platform/kubernetes/open-kube.ts'
import { type KubeObject, objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import type { Logger } from '#core/platform/log.ts'
import { handlerFailures, kubeLists, watchFailures, watchSilences } from '#core/platform/metrics/controller-metrics.ts'
import { newThrottledLog, type ThrottledLog } from '#core/platform/process/throttled-log.ts'
import { listFromStream, listInPages, type ObjectList, STREAM_QUERY } from './list-objects.ts'
import { type Indexes, newObjectStore, type ObjectStore, type WritableStore } from './object-store.ts'
import { type RuntimeClock, wait } from './runtime-clock.ts'
import { keyOf, toStored } from './stored-object.ts'
import { newWatchBackoff, type WatchBackoff } from './watch-backoff.ts'
import { type ObjectEvent, watchEvents } from './watch-events.ts'
import { failureOf, OlderServer, refusesStreams } from './watch-failure.ts'

export interface Change<T> {
  key: string
  /** Absent: the object is new. */
  before?: T
  /** Absent: the object was deleted. */
  now?: T
  /** Found by comparison with a new list; not urgent, and possibly several changes in one. */
  relisted?: true
}

export interface Relist {
  /** Objects in the store before the list. */
  known: number
  /** Keys of those that are missing from the list. */
  missing: string[]
}

export interface ReflectorOptions<T> {
  kube: Pick<Kube, 'requests' | 'watches'>
  resource: Resource
  namespace: string
  indexes?: Indexes<T>
  /** Called after the store has changed, in the order of the changes. An error is logged and stops nothing. */
  onChange: (change: Change<T>) => void
  /** Called before the changes of a list that follows an earlier one. */
  onRelist?: (relist: Relist) => void
  clock: RuntimeClock
  log: Logger
  random?: () => number
}

export interface Reflector<T> extends AsyncDisposable {
  store: ObjectStore<T>
  /** Resolves after the first complete list; rejects when the reflector is stopped before. */
  synced: Promise<void>
  hasSynced(): boolean
  /** Since the last byte from the server, or since the start. */
  silentMs(): number
  /** Why the last list or watch failed, while none has worked since. */
  failure(): unknown
}

/** The server ends each watch after 35 to 42 s: see `SILENT_AFTER_MS`. */
const WATCH_SECONDS = { least: 35, most: 42 }

/** Lists and watches until disposed. No failure ends it: it retries after 1 s to 30 s and continues at the last version that it saw. */
export function startReflector<T extends KubeObject>(options: ReflectorOptions<T>): Reflector<T> {
  return new ListWatch(options)
}

class ListWatch<T extends KubeObject> implements Reflector<T> {
  readonly kind: string
  readonly store: WritableStore<T>
  readonly synced: Promise<void>
  readonly #options: ReflectorOptions<T>
  readonly #path: string
  readonly #random: () => number
  readonly #stop = new AbortController()
  readonly #sync = Promise.withResolvers<void>()
  readonly #backoff: WatchBackoff
  readonly #outage: ThrottledLog
  readonly #ended: Promise<void>
  /** Where the next watch continues; absent when a list is due. */
  #resourceVersion: string | undefined
  #canStream = true
  #hasSynced = false
  #lastByteAt: number
  #failure: unknown

  constructor(options: ReflectorOptions<T>) {
    const { resource, namespace, indexes, clock, log, random = Math.random } = options
    this.#options = options
    this.kind = resource.kind
    this.#random = random
    this.#path = objectPath(resource, namespace)
    this.store = newObjectStore(indexes)
    this.synced = this.#sync.promise
    this.synced.catch(() => {})
    this.#backoff = newWatchBackoff(clock, random)
    this.#outage = newThrottledLog(log, 'kubernetes.watch_failed')
    this.#lastByteAt = clock.elapsedMs()
    watchSilences.add(this)
    kubeLists.inc({ kind: resource.kind }, 0)
    this.#ended = this.#run(this.#stop.signal)
  }

  hasSynced(): boolean {
    return this.#hasSynced
  }

  silentMs(): number {
    return this.#options.clock.elapsedMs() - this.#lastByteAt
  }

  failure(): unknown {
    return this.#failure
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the reflector is stopped'))
    watchSilences.delete(this)
    await this.#ended
    this.#sync.reject(this.#stop.signal.reason)
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let delayMs: number
      try {
        if (this.#resourceVersion === undefined) this.#replace(await this.#list(signal))
        await this.#watch(signal)
        delayMs = this.#backoff.afterClose()
      } catch (error) {
        if (signal.aborted) return
        delayMs = this.#failed(error)
      }
      await wait(this.#options.clock, delayMs, signal)
    }
  }

  async #list(signal: AbortSignal): Promise<ObjectList<T>> {
    const { kube, resource } = this.#options
    try {
      if (this.#canStream) return await listFromStream(this.#events(STREAM_QUERY, signal))
    } catch (error) {
      if (!refusesStreams(error)) throw error
      this.#canStream = false
    }
    const call = { requests: kube.requests, resource, path: this.#path, signal }
    return listInPages<T>(call, () => this.#received())
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { least, most } = WATCH_SECONDS
    const query = {
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: this.#resourceVersion ?? '',
      timeoutSeconds: least + Math.floor(this.#random() * (most - least + 1)),
    }
    for await (const event of this.#events(query, signal)) {
      if (signal.aborted) return
      this.#apply(event)
    }
    this.#worked()
  }

  #events(query: typeof STREAM_QUERY, signal: AbortSignal): AsyncGenerator<ObjectEvent<T>> {
    const { kube, clock } = this.#options
    return watchEvents({ watches: kube.watches, path: this.#path, query, signal, onBytes: () => this.#received(), clock })
  }

  #apply({ type, object }: ObjectEvent<T>): void {
    const { resourceVersion } = object.metadata
    if (type === 'BOOKMARK') {
      if (isOlder(resourceVersion, this.#resourceVersion)) throw new OlderServer('Watch: the server has gone back in time')
    } else {
      const stored = toStored(object)
      const key = keyOf(stored)
      if (type === 'DELETED') this.#remove(key, stored)
      else this.#put(key, stored)
    }
    this.#resourceVersion = resourceVersion ?? this.#resourceVersion
    this.#worked()
  }

  #put(key: string, now: T, relisted?: { relisted: true }): void {
    const before = this.store.put(key, now)
    if (before && before.metadata.resourceVersion === now.metadata.resourceVersion) return
    this.#notify({ key, ...(before && { before }), now, ...relisted })
  }

  #remove(key: string, last: T): void {
    this.store.remove(key)
    this.#notify({ key, before: last })
  }

  /** Takes over a list: what is not in it was deleted while we did not watch. */
  #replace({ objects, resourceVersion }: ObjectList<T>): void {
    const missing = this.store.keys().filter((key) => !objects.has(key))
    if (this.#hasSynced) this.#relisted({ known: this.store.size, missing })
    for (const [key, object] of objects) this.#put(key, object, { relisted: true })
    for (const key of missing) {
      const before = this.store.remove(key)
      if (before) this.#notify({ key, before, relisted: true })
    }
    this.#resourceVersion = resourceVersion
    kubeLists.inc({ kind: this.kind })
    this.#hasSynced = true
    this.#sync.resolve()
    this.#worked()
  }

  #relisted(relist: Relist): void {
    const { onRelist, log } = this.#options
    log.info({ kind: this.kind, known: relist.known, missing: relist.missing.length }, 'kubernetes.relisted')
    this.#guard(undefined, () => onRelist?.(relist))
  }

  #notify(change: Change<T>): void {
    this.#guard(change.key, () => this.#options.onChange(change))
  }

  #guard(key: string | undefined, handle: () => void): void {
    try {
      handle()
    } catch (error) {
      handlerFailures.inc({ kind: this.kind })
      this.#options.log.error({ err: error, kind: this.kind, key }, 'kubernetes.handler_failed')
    }
  }

  #received(): void {
    this.#lastByteAt = this.#options.clock.elapsedMs()
    this.#backoff.received()
  }

  #worked(): void {
    this.#failure = undefined
    this.#outage.recovered()
  }

  /** Returns the delay before the next try. */
  #failed(error: unknown): number {
    const { kind } = this
    const { reason, isOutdated, retryAfterMs } = failureOf(error)
    watchFailures.inc({ kind, reason })
    if (isOutdated) this.#resourceVersion = undefined
    if (reason !== 'expired') {
      this.#failure = error
      this.#outage.report(`${kind}: ${error instanceof Error ? error.message : String(error)}`)
    }
    return this.#backoff.afterError(retryAfterMs)
  }
}

/** Resource versions of one server are comparable numbers; others are not compared. */
function isOlder(one: string | undefined, other: string | undefined): boolean {
  const areNumbers = [one, other].every((version) => version !== undefined && /^\d{1,19}$/.test(version))
  return areNumbers && BigInt(one ?? 0) < BigInt(other ?? 0)
}
