// The notifier says that work is due; it never carries a promise. Postgres holds the work, so a notifier that is lost costs time, not work.
import type { Subject, WorkSubject } from './subjects.ts'

export interface NotifierMessage {
  subject: Subject
  /** The outbox row's: a notifier that remembers drops a second ring of the same. */
  id: string
  /** Messages of one lane keep their order. */
  lane: number
  /** Ids, nothing else. */
  body: { readonly [key: string]: unknown }
  /** The W3C traceparent of what asked for the work. */
  traceParent: string | null
}

/** What becomes of a ring: the work is done or no longer due, it is to be rung again later, or it can never be done. */
export type Verdict = { kind: 'ack' } | { kind: 'nak'; seconds: number } | { kind: 'term' }

/** One ring, held by whoever took it until it is settled. */
export interface Notification {
  body: unknown
  traceParent: string | null
  /** Says that the work goes on; without a sign of life the ring goes to another. */
  extend(): void
  /** The one place that ends a ring. Never throws: a verdict that gets lost brings the ring back, and the work is idempotent. */
  settle(verdict: Verdict): void
}

export interface Notifier {
  /** Rings once a message, those of one lane in this order; resolves when the notifier has taken them all. Throws when it cannot: then of each lane the
   *  first ones were taken, up to any place, and perhaps the one after them. */
  publish(messages: readonly NotifierMessage[]): Promise<void>
  /** The next ring of the subject for one of all who wait for it; undefined when none came in time, or the notifier is out of order. */
  next(subject: WorkSubject, waitMs: number, signal: AbortSignal): Promise<Notification | undefined>
}
