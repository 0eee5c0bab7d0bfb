// Records Kubernetes events in the background, never at the cost of the work that they report. Events are recorded on transitions only; an object
// that goes back and forth repeats them, and an equal one within six minutes says nothing new.
import { randomBytes } from 'node:crypto'
import type { Kube } from '#core/platform/kubernetes/open-kube.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import type { Logger } from '#core/platform/log.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { backoffMs } from './backoff.ts'
import { EVENTS, eventKey, type EventObject, type EventSource, newEventObject, type RecordedEvent } from './event.ts'
import { type RuntimeClock, wait } from './runtime-clock.ts'

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

const MOST_WAITING = 1000
const REPEATED_AFTER_MS = 6 * 60_000
const MOST_REMEMBERED = 4096
const MOST_TRIES = 8
const RETRY_LIMITS = { firstMs: 1000, longestMs: 30_000 }
const FLUSH_WITHIN_MS = 2000

/** Records events until disposed. */
export function startEventRecorder(options: RecorderOptions): EventRecorder {
  const { clock, log } = options
  const isNews = newMemory(clock)
  const dropped = newThrottledLog(log, 'events.dropped')
  const stop = new AbortController()
  const waiting: EventObject[] = []
  const send = newSender(options, stop.signal)
  let sending: Promise<void> | undefined
  let isStopped = false
  const sendAll = async (): Promise<void> => {
    for (let object = waiting.shift(); object; object = waiting.shift()) await send(object)
    sending = undefined
  }
  return {
    record(event) {
      if (isStopped || !isNews(eventKey(event))) return
      waiting.push(newEventObject(event, options, { suffix: randomBytes(8).toString('hex'), at: clock.wall() }))
      if (waiting.length > MOST_WAITING) {
        waiting.shift()
        dropped.report('too many events are waiting')
      }
      sending ??= sendAll()
    },
    async [Symbol.asyncDispose]() {
      isStopped = true
      const flushed = new AbortController()
      await Promise.race([sending, wait(clock, FLUSH_WITHIN_MS, flushed.signal)])
      flushed.abort()
      waiting.length = 0
      stop.abort(new Error('the recorder is stopped'))
      await sending
    },
  }
}

/** Whether no equal event was recorded in the last minutes; remembers the newest of them. */
function newMemory(clock: RuntimeClock): (key: string) => boolean {
  const recordedAt = new Map<string, number>()
  return (key) => {
    const now = clock.elapsedMs()
    if (now - (recordedAt.get(key) ?? -Infinity) < REPEATED_AFTER_MS) return false
    recordedAt.delete(key)
    recordedAt.set(key, now)
    const [oldest] = recordedAt.keys()
    if (recordedAt.size > MOST_REMEMBERED && oldest !== undefined) recordedAt.delete(oldest)
    return true
  }
}

/** Sends one event, and again while the server is away. */
function newSender({ kube, clock, log, random = Math.random }: RecorderOptions, signal: AbortSignal) {
  const outage = newThrottledLog(log, 'events.not_written')
  return async (body: EventObject): Promise<void> => {
    const path = objectPath(EVENTS, body.metadata.namespace)
    for (let tries = 1; tries <= MOST_TRIES && !signal.aborted; tries++) {
      try {
        await kube.requests.request({ method: 'POST', path, body, signal })
        outage.recovered()
        return
      } catch (error) {
        if (signal.aborted) return
        outage.report(error instanceof Error ? error.message : String(error))
        if (isFinal(error)) return
        await wait(clock, backoffMs(tries, RETRY_LIMITS, random), signal)
      }
    }
  }
}

/** Whether another try cannot succeed: the server refuses this event, or already has it. */
function isFinal(error: unknown): boolean {
  return error instanceof KubeError && error.status < 500 && ![401, 403, 429].includes(error.status)
}
