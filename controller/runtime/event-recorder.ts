// Records Kubernetes events in the background: equal ones as a series, few per object, and never at the cost of the work that they report.
import { randomBytes } from 'node:crypto'
import type { Kube } from '#core/platform/kubernetes/open-kube.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import type { Logger } from '#core/platform/log.ts'
import { newThrottledLog, type ThrottledLog } from '#core/platform/process/throttled-log.ts'
import { backoffMs } from './backoff.ts'
import { EVENTS, type EventSource, newEventObject, type RecordedEvent, regardingKey, seriesKey } from './event.ts'
import { type EventSeries, newSeriesList, SERIES_MS, type SeriesList } from './event-series.ts'
import { type RuntimeClock, wait } from './runtime-clock.ts'
import { newTokenBucket, type TokenBucket } from './token-bucket.ts'

export interface RecorderOptions extends EventSource {
  kube: Pick<Kube, 'requests'>
  clock: RuntimeClock
  log: Logger
  random?: () => number
}

/** Disposing writes what is waiting, for at most two seconds. */
export interface EventRecorder extends AsyncDisposable {
  /** Queues an event. Returns at once and never throws; under pressure the oldest waiting event is dropped. */
  record(event: RecordedEvent): void
}

interface Write {
  series: EventSeries
  method: 'POST' | 'PATCH'
}

const MOST_WAITING = 1000
/** client-go's limits: 25 new events of one object at once, then one every five minutes. */
const OBJECT_BUCKET = { burst: 25, everyMs: 5 * 60_000 }
const MOST_BUCKETS = 4096
const MOST_TRIES = 8
const RETRY_LIMITS = { firstMs: 1000, longestMs: 30_000 }
const FLUSH_WITHIN_MS = 2000

/** Records events until disposed. */
export function startEventRecorder(options: RecorderOptions): EventRecorder {
  return new QueuedRecorder(options)
}

class QueuedRecorder implements EventRecorder {
  readonly #options: RecorderOptions
  readonly #series: SeriesList
  readonly #buckets = new Map<string, TokenBucket>()
  readonly #waiting: Write[] = []
  readonly #outage: ThrottledLog
  readonly #dropped: ThrottledLog
  readonly #stop = new AbortController()
  #timer: Disposable
  #sending: Promise<void> | undefined
  #isStopped = false

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#series = newSeriesList(options.clock)
    this.#outage = newThrottledLog(options.log, 'events.not_written')
    this.#dropped = newThrottledLog(options.log, 'events.dropped')
    this.#timer = options.clock.after(SERIES_MS, () => this.#writeSeries())
  }

  record(event: RecordedEvent): void {
    if (this.#isStopped) return
    const key = seriesKey(event)
    const known = this.#series.count(key)
    if (known) {
      // The second of a series is written at once, so that people see that it is one.
      if (known.series.count === 2) this.#queue({ series: known, method: 'PATCH' })
      return
    }
    if (!this.#bucketOf(regardingKey(event.regarding)).tryTake()) {
      this.#dropped.report(`${event.regarding.kind} ${event.regarding.metadata.name} has too many events`)
      return
    }
    const object = newEventObject(event, this.#options, {
      suffix: randomBytes(8).toString('hex'),
      at: this.#options.clock.wall(),
    })
    this.#queue({ series: this.#series.start(key, object), method: 'POST' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    this.#timer[Symbol.dispose]()
    this.#queueSeries(0)
    const flushed = new AbortController()
    await Promise.race([this.#sending, wait(this.#options.clock, FLUSH_WITHIN_MS, flushed.signal)])
    flushed.abort()
    this.#waiting.length = 0
    this.#stop.abort(new Error('the recorder is stopped'))
    await this.#sending
  }

  #writeSeries(): void {
    this.#queueSeries(SERIES_MS)
    this.#timer = this.#options.clock.after(SERIES_MS, () => this.#writeSeries())
  }

  #queueSeries(unwrittenForMs: number): void {
    for (const series of this.#series.due(unwrittenForMs)) this.#queue({ series, method: 'PATCH' })
  }

  #bucketOf(key: string): TokenBucket {
    const bucket = this.#buckets.get(key) ?? newTokenBucket(OBJECT_BUCKET, this.#options.clock)
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > MOST_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest)
    return bucket
  }

  #queue(write: Write): void {
    // A write has the count of the moment when it is sent.
    const isQueued = this.#waiting.some(({ series, method }) => series === write.series && method === write.method)
    if (isQueued) return
    write.series.sent = { count: write.series.series.count, at: this.#options.clock.elapsedMs() }
    this.#waiting.push(write)
    if (this.#waiting.length > MOST_WAITING) {
      this.#waiting.shift()
      this.#dropped.report('too many events are waiting')
    }
    this.#sending ??= this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    for (let write = this.#waiting.shift(); write; write = this.#waiting.shift()) await this.#sendWithRetries(write)
    this.#sending = undefined
  }

  async #sendWithRetries(write: Write): Promise<void> {
    const { clock, random = Math.random } = this.#options
    const { signal } = this.#stop
    for (let tries = 1; tries <= MOST_TRIES && !signal.aborted; tries++) {
      try {
        await this.#send(write, signal)
        this.#outage.recovered()
        return
      } catch (error) {
        if (signal.aborted) return
        this.#outage.report(error instanceof Error ? error.message : String(error))
        if (isFinal(error)) return
        await wait(clock, backoffMs(tries, RETRY_LIMITS, random), signal)
      }
    }
  }

  async #send({ series, method }: Write, signal: AbortSignal): Promise<void> {
    const { requests } = this.#options.kube
    const { object } = series
    const { namespace, name } = object.metadata
    const create = (body: unknown) => requests.request({ method: 'POST', path: objectPath(EVENTS, namespace), body, signal })
    if (method === 'POST') return void (await create(object))
    try {
      const path = objectPath(EVENTS, namespace, name)
      const body = { series: series.series }
      await requests.request({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json', signal })
    } catch (error) {
      // Events live for an hour; the series goes on in a new object of the same name.
      if (!(error instanceof KubeError) || error.status !== 404) throw error
      await create({ ...object, series: series.series })
    }
  }
}

/** Whether another try cannot succeed: the server refuses this event, or already has it. */
function isFinal(error: unknown): boolean {
  return error instanceof KubeError && error.status < 500 && ![401, 403, 429].includes(error.status)
}
