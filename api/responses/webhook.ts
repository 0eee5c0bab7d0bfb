// A webhook, as answers hold it.
import type { ListedWebhook } from '#core/webhook/list-webhooks.ts'
import type { DisabledReason, Votes } from '#core/webhook/rules.ts'
import type { Webhook } from '#core/webhook/webhook.ts'
import type { TestResult } from '#core/webhook/test-webhook.ts'
import type {
  ListedWebhookResponse,
  TestWebhookResponse,
  WebhookResponse,
  WebhookWithSecretResponse,
} from '../schemas/webhook.ts'
import { toFailureFields } from './failure.ts'

export function toWebhookResponse(webhook: Webhook): WebhookResponse {
  const { id, url, description, eventTypes, origin, createdAt, disabledReason, disabledAt, nextProbeAt } = webhook
  const { consecutiveExhausted, secretLastFour, secretShownAt, previousSecretExpiresAt, object, orphanedAt } = webhook
  return {
    id,
    url,
    description,
    eventTypes,
    enabled: disabledReason === null,
    ...(disabledReason && { disabledReason, disabledReasons: reasonsOf(webhook) }),
    ...(disabledAt && { disabledAt: disabledAt.toISOString() }),
    ...(nextProbeAt && { nextProbeAt: nextProbeAt.toISOString() }),
    consecutiveExhausted,
    origin: origin === 'API' ? 'API' : 'Kubernetes',
    ...(object && { kubernetesObject: object }),
    ...(orphanedAt && { orphanedAt: orphanedAt.toISOString() }),
    createdAt: createdAt.toISOString(),
    ...(secretLastFour !== null && { secretLastFour }),
    secretShown: secretShownAt !== null,
    ...(previousSecretExpiresAt && { previousSecretExpiresAt: previousSecretExpiresAt.toISOString() }),
  }
}

function reasonsOf({ suspended, disabledByAdmin, disabledAutomatically }: Votes): DisabledReason[] {
  return [
    ...(suspended ? (['SUSPENDED'] as const) : []),
    ...(disabledByAdmin ? (['BY_ADMIN'] as const) : []),
    ...(disabledAutomatically ? (['AUTOMATIC'] as const) : []),
  ]
}

/** With its last 24 hours. */
export function toListedWebhookResponse(webhook: ListedWebhook): ListedWebhookResponse {
  return { ...toWebhookResponse(webhook), lastDay: webhook.lastDay }
}

/** With the secret, for the one answer that shows it. */
export function toWebhookWithSecretResponse(webhook: Webhook & { secret: string }): WebhookWithSecretResponse {
  return { ...toWebhookResponse(webhook), secret: webhook.secret }
}

/** The result of a test. */
export function toTestWebhookResponse({ deliveryId, waitedMs, attempt }: TestResult): TestWebhookResponse {
  if (!attempt) return { delivered: false, durationMs: waitedMs, ...NOT_TRIED, deliveryId }
  const { responseStatus, durationMs, failure } = attempt
  return {
    delivered: !failure,
    ...(responseStatus !== undefined && { responseStatus }),
    durationMs,
    ...(failure && toFailureFields(failure)),
    deliveryId,
  }
}

const NOT_TRIED = {
  error: 'No worker has sent the test event in time. It is still waiting; its result will be in the delivery history.',
  errorCode: 'NOT_TRIED_YET',
}
