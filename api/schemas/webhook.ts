// Webhooks in the panel: everything but the secret, which is shown once.
import { WebhookId } from '#core/ids.ts'
import { MAX_WEBHOOK_DESCRIPTION_CHARACTERS, MAX_WEBHOOK_URL_CHARACTERS } from '#core/limits.ts'
import { EVENT_TYPES } from '#core/messaging/subjects.ts'
import { DISABLED_REASONS } from '#core/webhook/rules.ts'
import { z } from 'zod'
import { DateTime, Int32, Uuid } from './scalars.ts'
import { text } from './text.ts'

export const WebhookPath = z.object({ id: WebhookId })

export const EventType = z.enum(EVENT_TYPES)
export type EventType = z.output<typeof EventType>
/** The list itself, for pages: they may not import values. */
export type EventTypes = typeof EVENT_TYPES

const WebhookUrl = text(MAX_WEBHOOK_URL_CHARACTERS)
  .refine((url) => URL.canParse(url) && !/[\s\p{Cc}]/u.test(url), {
    error: 'must be an absolute URL without spaces',
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ format: 'uri', minLength: 1, maxLength: MAX_WEBHOOK_URL_CHARACTERS })
  .describe('An HTTPS address that is reachable from the internet, on any port. Private and internal addresses are refused.')

const Description = text(MAX_WEBHOOK_DESCRIPTION_CHARACTERS, 0).describe('For your own use.')

const WantedEventTypes = z
  .array(EventType)
  .min(1, 'must name at least one event type')
  .refine((types) => new Set(types).size === types.length, 'must not name an event type twice')
  .describe('The events that it receives.')

export const CreateWebhookBody = z.object({
  url: WebhookUrl,
  description: Description.optional(),
  eventTypes: WantedEventTypes,
})

export const UpdateWebhookBody = z.object({
  url: WebhookUrl.optional(),
  description: Description.optional(),
  eventTypes: WantedEventTypes.optional(),
  enabled: z.boolean().optional().describe('While it is disabled, events are recorded as not sent; they are not sent later.'),
})

export const WebhookResponse = z
  .object({
    id: Uuid,
    url: z.string(),
    description: z.string().describe('Empty without one.'),
    eventTypes: z.array(EventType),
    enabled: z.boolean(),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .optional()
      .describe(
        'Only while it is disabled. AUTOMATIC: several deliveries in a row used up their retries. SUSPENDED: by its object in Kubernetes.',
      ),
    disabledReasons: z
      .array(z.enum(DISABLED_REASONS))
      .optional()
      .describe('Every reason, the one above first: it is enabled when none is left. Only while it is disabled.'),
    disabledAt: DateTime.optional().describe('Only while it is disabled.'),
    nextProbeAt: DateTime.optional().describe(
      'Only while it is disabled automatically: when a test event is sent to it next. If it is accepted, the webhook is enabled.',
    ),
    consecutiveExhausted: Int32.describe('Deliveries that used up their retries since the last one that was accepted.'),
    origin: z.enum(['API', 'Kubernetes']).describe('Kubernetes: it can only be changed there.'),
    kubernetesObject: z
      .object({ namespace: z.string(), name: z.string() })
      .optional()
      .describe('Its WebhookSubscription in Kubernetes, if there is one.'),
    orphanedAt: DateTime.optional().describe(
      'Since when the object that manages it has been gone without being deleted. The webhook still gets events.',
    ),
    createdAt: DateTime,
    secretLastFour: z
      .string()
      .optional()
      .describe(
        'The last four characters of the newest secret. Absent for a secret that a Secret in Kubernetes gives (`spec.secretRef`).',
      ),
    secretShown: z
      .boolean()
      .describe(
        'False for a secret that was made outside the panel and can still be revealed once. Always true if it is managed in Kubernetes.',
      ),
    previousSecretExpiresAt: DateTime.optional().describe('Until when deliveries are also signed with the previous secret.'),
  })
  .meta({ id: 'WebhookResponse' })
export type WebhookResponse = z.output<typeof WebhookResponse>

export const ListedWebhookResponse = WebhookResponse.extend({
  lastDay: z
    .array(z.object({ delivered: Int32, failed: Int32.describe('Given up, rejected so far, or without a body.') }))
    .describe(
      'The deliveries of each of the last 24 hours, oldest first, without tests and probes. Only the latest 2,000 are counted.',
    ),
}).meta({ id: 'ListedWebhookResponse' })
export type ListedWebhookResponse = z.output<typeof ListedWebhookResponse>

export const WebhookWithSecretResponse = WebhookResponse.extend({
  secret: z.string().describe('The signing secret. Shown only once.'),
}).meta({ id: 'WebhookWithSecretResponse' })
export type WebhookWithSecretResponse = z.output<typeof WebhookWithSecretResponse>

export const TestWebhookBody = z
  .object({ eventType: EventType.optional().describe('One of the event types of the webhook; by default its first.') })
  .optional()

export const TestWebhookResponse = z
  .object({
    delivered: z.boolean().describe('True if the receiver answered with a 2xx status.'),
    responseStatus: Int32.optional().describe('Absent if no answer came.'),
    durationMs: Int32,
    error: z.string().optional().describe('Why it was not delivered.'),
    errorCode: z.string().optional().describe('The same for programs. New codes may be added.'),
    errorDetail: z
      .string()
      .optional()
      .describe(
        'What the code refers to: with HTTP_STATUS the status, with TLS_EXPIRED the day on which the receiver’s certificate ended, with URL_NOT_ALLOWED the rule.',
      ),
    deliveryId: Uuid.describe('Its entry in the delivery history.'),
  })
  .meta({ id: 'TestWebhookResponse' })
export type TestWebhookResponse = z.output<typeof TestWebhookResponse>
