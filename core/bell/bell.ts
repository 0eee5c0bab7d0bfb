// The bell says that work is due; it never carries a promise. Postgres holds the work, so a bell that is lost costs time, not work.
import type { WorkSubject } from '#core/outbox/subjects.ts'

/** What goes over the bell: ids only. */
export type BellMessage = { readonly [key: string]: unknown }

export interface Bell {
  /** Rings for one message. `id` is the outbox row's: a bell that remembers drops a second ring of the same. */
  publish(subject: string, id: string, message: BellMessage): Promise<void>
  /** Calls `handler` at every ring of the subject until disposed. */
  consume(subject: WorkSubject, handler: () => void): Disposable
}
