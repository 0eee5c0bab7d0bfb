// One signed request to a webhook.
import type { StorelessCore } from '#core/context.ts'
import type { WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Attempt } from '#core/webhook/request/attempt.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { secretContext } from '#core/webhook/secret.ts'
import { signatureHeader } from './signature.ts'

export interface EventToSend {
  webhookId: WebhookId
  url: string
  eventId: string
  eventType: EventType
  body: string
  /** True for tests and probes, which carry `X-Svc-Test`. */
  isSynthetic: boolean
  secretBox: Buffer
  previousSecretBox: Buffer | null
  /** Time by the database clock: the signature's time does not depend on this machine's. */
  takenAt: Date
}

/** Sends the exact text and returns the result. Throws only errors of our own, such as a secret that cannot be decrypted. */
export async function sendEvent({ keys }: Pick<StorelessCore, 'keys'>, client: PostClient, event: EventToSend): Promise<Attempt> {
  const { webhookId, url, eventId, eventType, takenAt } = event
  const body = Buffer.from(event.body, 'utf8')
  const boxes = event.previousSecretBox ? [event.secretBox, event.previousSecretBox] : [event.secretBox]
  const secrets = boxes.map((box) => keys.open(box, secretContext(webhookId)))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Sealwright-Webhooks/1',
    'x-svc-event-id': eventId,
    'x-svc-event-type': eventType,
    ...(event.isSynthetic && { 'x-svc-test': 'true' }),
  }
  const startedAt = performance.now()
  const sign = () => {
    const seconds = Math.floor((takenAt.getTime() + performance.now() - startedAt) / 1000)
    return { 'x-svc-signature': signatureHeader(seconds, body, secrets) }
  }
  const { durationMs, responseStatus, failure } = await client.post({ url, headers, sign, body })
  return {
    at: takenAt.toISOString(),
    durationMs,
    ...(responseStatus !== undefined && { responseStatus }),
    ...(failure && { failure }),
  }
}
