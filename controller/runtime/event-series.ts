// The series of events of a process: equal events within six minutes of each other are counted in one object.
import { type EventObject, type Series } from './event.ts'
import type { RuntimeClock } from './runtime-clock.ts'
import { microTime } from './wire-time.ts'

export interface EventSeries {
  object: EventObject
  series: Series
  lastAt: number
  /** The count that was last queued to be written, and when. */
  sent: { count: number; at: number }
}

export interface SeriesList {
  /** Counts one more event; undefined when there is no running series. */
  count(key: string): EventSeries | undefined
  start(key: string, object: EventObject): EventSeries
  /** Series with a count that was not written for this time; series that have ended are forgotten. */
  due(unwrittenForMs: number): EventSeries[]
  readonly size: number
}

/** client-go's interval: a running series is written this often, and ends after as much silence. */
export const SERIES_MS = 6 * 60_000
/** Beyond this the series that has been silent longest is forgotten: its next event is a new object. */
const MOST_SERIES = 4096

/** No series yet. */
export function newSeriesList(clock: RuntimeClock): SeriesList {
  /** Series in the order of their last event. */
  const running = new Map<string, EventSeries>()
  return {
    get size() {
      return running.size
    },
    count(key) {
      const known = running.get(key)
      const now = clock.elapsedMs()
      if (!known || now - known.lastAt >= SERIES_MS) return undefined
      known.series = { count: known.series.count + 1, lastObservedTime: microTime(clock.wall()) }
      known.lastAt = now
      running.delete(key)
      running.set(key, known)
      return known
    },
    start(key, object) {
      const at = clock.elapsedMs()
      const started = {
        object,
        series: { count: 1, lastObservedTime: microTime(clock.wall()) },
        lastAt: at,
        sent: { count: 1, at },
      }
      running.delete(key)
      running.set(key, started)
      const [oldest] = running.keys()
      if (running.size > MOST_SERIES && oldest !== undefined) running.delete(oldest)
      return started
    },
    due(unwrittenForMs) {
      const now = clock.elapsedMs()
      const due = [...running.values()].filter(({ series, sent }) => series.count > sent.count && now - sent.at >= unwrittenForMs)
      for (const [key, { lastAt }] of running) if (now - lastAt >= SERIES_MS) running.delete(key)
      return due
    },
  }
}
