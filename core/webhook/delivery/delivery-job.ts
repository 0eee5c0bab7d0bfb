// The job to deliver one event to one webhook: its row in `delivery_jobs`, which is deleted at its end. The record that remains is in `deliveries`.
import type { DeliveryId, WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Attempt } from '#core/webhook/request/attempt.ts'
import type { Job, WorkKind } from '#core/work/job.ts'

export interface DeliveryJob extends Job {
  id: DeliveryId
  webhookId: WebhookId
  eventId: string
  eventType: EventType
  /** The exact text that is sent. */
  body: string
  /** One attempt, sent in every state of the webhook. */
  isTest: boolean
  /** Its webhook let a delivery time out a short while ago. */
  isSlow: boolean
  /** How many requests this process may have open to the webhook and for the organisation, since this claim. */
  mayOpen: number
  organisationMayOpen: number
  url: string
  secretBox: Buffer
  /** Null when no previous secret is valid any more. */
  previousSecretBox: Buffer | null
}

/** The delivery and its lease. */
export type DeliveryLease = Pick<DeliveryJob, 'orgId' | 'id' | 'webhookId' | 'attempts' | 'isTest'>

/** Ends a job as `recordDelivered` does. */
export type RecordDelivered = (lease: DeliveryLease, attempt: Attempt) => Promise<boolean>

export const DELIVERY_WORK: WorkKind = {
  name: 'delivery',
  role: 'deliver',
  table: 'delivery_jobs',
  idColumn: 'id',
  subject: 'sealwright.delivery.requested',
  statusColumns: (sql) => sql`j.webhook_id, j.event_id`,
}
