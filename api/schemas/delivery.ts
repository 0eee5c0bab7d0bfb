// The delivery history of a webhook.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { DeliveryId } from '#core/ids.ts'
import { z } from 'zod'
import { filled, PAGE_FIELDS, pageOf } from './page.ts'
import { DateTime, Int32, Uuid } from './scalars.ts'
import { KeptInstant } from './text.ts'
import { EventType, WebhookPath } from './webhook.ts'

export const DeliveryPath = WebhookPath.extend({ deliveryId: DeliveryId })

/** The names of the contract: "Waiting", "Rejected / Unreachable", "Delivered", "Gave up", "Not sent", "Could not be built". */
const STATUSES = ['WAITING', 'REJECTED_UNREACHABLE', 'DELIVERED', 'GAVE_UP', 'NOT_SENT', 'COULD_NOT_BE_BUILT'] as const

const DeliveryStatus = z.enum(STATUSES).meta({
  id: 'DeliveryStatus',
  description:
    'WAITING: not tried yet. REJECTED_UNREACHABLE: failed, retries remain. GAVE_UP: the retries are used up, or the webhook was disabled or deleted meanwhile. NOT_SENT: the webhook was disabled when the event occurred. COULD_NOT_BE_BUILT: the event has no body.',
})
export type DeliveryStatus = z.output<typeof DeliveryStatus>
/** The list itself, for pages: they may not import values. */
export type DeliveryStatuses = typeof STATUSES

export const ListDeliveriesQuery = z.object({
  ...PAGE_FIELDS,
  status: filled(z.string().transform(readStatuses)).meta({
    description: `One or more statuses, separated by commas; matches any of them. Statuses: ${STATUSES.join(', ')}.`,
    examples: ['GAVE_UP,NOT_SENT'],
  }),
  eventType: filled(EventType),
})

/** Capitals and punctuation do not matter: `Rejected / Unreachable` is accepted too. */
function readStatuses(given: string): DeliveryStatus[] {
  return given.split(',').map((name) => {
    const wanted = name
      .trim()
      .toUpperCase()
      .replaceAll(/[^A-Z]+/g, '_')
    const status = STATUSES.find((known) => known === wanted)
    if (!status) throw new DomainError('INVALID_STATUS')
    return status
  })
}

const DeliveryAttempt = z
  .object({
    at: DateTime,
    responseStatus: Int32.optional().describe('Absent if no answer came.'),
    error: z.string().optional().describe('Why the attempt failed. Absent if the receiver accepted it.'),
    errorCode: z.string().optional().describe('The same for programs. New codes may be added.'),
    errorDetail: z
      .string()
      .optional()
      .describe(
        'What the code refers to: with HTTP_STATUS the status, with TLS_EXPIRED the day on which the receiver’s certificate ended, with URL_NOT_ALLOWED the rule.',
      ),
    durationMs: Int32,
  })
  .meta({ id: 'DeliveryAttempt' })

export const DeliveryResponse = z
  .object({
    id: Uuid,
    eventId: Uuid.describe('The same for every delivery of the event.'),
    eventType: EventType,
    status: DeliveryStatus,
    reason: z
      .string()
      .optional()
      .describe(
        'Why it ended otherwise than by its attempts: ENDPOINT_DISABLED, ENDPOINT_DELETED, or why the body could not be built.',
      ),
    createdAt: DateTime,
    attempts: z.array(DeliveryAttempt).describe('Oldest first.'),
    nextAttemptAt: DateTime.optional().describe('When it is tried next.'),
    probe: z.boolean().describe('A test event that was sent to a disabled webhook.'),
    test: z.boolean().describe('A test event that was sent on request.'),
    replay: z.boolean().describe('It was sent again on request.'),
  })
  .meta({ id: 'DeliveryResponse' })
export type DeliveryResponse = z.output<typeof DeliveryResponse>

export const DeliveryWithBodyResponse = DeliveryResponse.extend({
  body: z.string().nullable().describe('The exact text that is sent. Null if it could not be built.'),
}).meta({ id: 'DeliveryWithBodyResponse' })
export type DeliveryWithBodyResponse = z.output<typeof DeliveryWithBodyResponse>

export const PagedDeliveryResponse = pageOf(DeliveryResponse).meta({
  id: 'PagedDeliveryResponse',
  description: 'One page of the delivery history, newest first.',
})
export type PagedDeliveryResponse = z.output<typeof PagedDeliveryResponse>

export const ReplaySinceBody = z.object({ since: KeptInstant.describe('Deliveries created at this time or later.') })

export const ReplaySinceResponse = z
  .object({ count: Int32.describe('How many events are sent again.') })
  .meta({ id: 'ReplaySinceResponse' })
export type ReplaySinceResponse = z.output<typeof ReplaySinceResponse>
