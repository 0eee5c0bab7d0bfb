// The notifier tells workers that a job is due. Postgres holds the jobs, so a lost notification costs time and no work.
import type { Subject } from './subjects.ts'

export interface NotifierMessage {
  subject: Subject
  /** The id of the outbox row, by which JetStream drops duplicates. */
  id: string
  /** Messages of one partition keep their order. */
  partition: number
  /** Ids, nothing else. */
  body: { readonly [key: string]: unknown }
  /** The W3C traceparent of the request that queued the job. */
  traceParent: string | null
}

/** `ack`: done or no longer due. `nak`: deliver again after so many seconds. `term`: never deliver again. */
export type Verdict = { kind: 'ack' } | { kind: 'nak'; seconds: number } | { kind: 'term' }

/** One notification, held by its consumer until it is settled. */
export interface Notification {
  body: unknown
  traceParent: string | null
  /** Reports progress; without it the notification goes to another consumer. */
  extend(): void
  /** Ends the notification. Never throws: a lost verdict brings it back, and every job is idempotent. */
  settle(verdict: Verdict): void
}

export interface Notifier {
  /** Publishes the messages, those of one partition in this order; resolves when all are stored. When it throws, a prefix of each partition was stored. */
  publish(messages: readonly NotifierMessage[]): Promise<void>
  /** The next notification of the subject, delivered to one of its consumers; undefined when none came in time or the notifier is down. */
  next(subject: Subject, waitMs: number, signal: AbortSignal): Promise<Notification | undefined>
}
