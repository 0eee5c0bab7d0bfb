// What notifies the workers of a job, for `insertOutbox` in the transaction that makes the job due.
import type { OutboxMessage } from '#core/messaging/outbox-store.ts'
import type { JobRef, WorkKind } from './job.ts'

/** Notifications about the same job keep their order. */
export function jobMessage({ subject }: WorkKind, { orgId, id }: JobRef): OutboxMessage {
  return { orderKey: id, subject, body: { orgId, id } }
}
