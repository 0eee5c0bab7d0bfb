// Sends a synthetic event to a webhook in any state, through the workers as every delivery, and waits for the result.
import { setTimeout as delay } from 'node:timers/promises'
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { insertEvents } from '#core/event/store.ts'
import type { DeliveryId, OrgId, WebhookId } from '#core/ids.ts'
import { WEBHOOK_TEST_MARGIN_MS } from '#core/limits.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { inOrganisation, queryInOrganisation } from '#core/platform/postgres/client.ts'
import { activityDetail } from './activity-detail.ts'
import type { Attempt } from './request/attempt.ts'
import { requestDeliveries } from './delivery/request-deliveries.ts'
import { insertDelivery, selectResult } from './delivery/store.ts'
import { readWebhook } from './get-webhook.ts'
import { newSyntheticEvent } from './synthetic-event.ts'

export interface TestResult {
  deliveryId: DeliveryId
  /** Since the request. */
  waitedMs: number
  /** Absent when none was made in time; the delivery then still waits, unless the webhook was deleted. */
  attempt?: Attempt
}

const FIRST_POLL_MS = 40

/** Sends a test event, by default of the webhook's first type. Throws WEBHOOK_NOT_FOUND, EVENT_TYPE_NOT_SUBSCRIBED. */
export async function testWebhook(
  core: Pick<Core, 'database' | 'settings'>,
  caller: PersonCaller,
  id: WebhookId,
  eventType?: EventType,
): Promise<TestResult> {
  const startedAt = performance.now()
  const deliveryId = await requestTest(core, caller, id, eventType)
  const attempt = await awaitAttempt(core, caller.orgId, deliveryId)
  return { deliveryId, waitedMs: Math.round(performance.now() - startedAt), ...(attempt && { attempt }) }
}

async function requestTest(
  { database }: Pick<Core, 'database'>,
  caller: PersonCaller,
  id: WebhookId,
  wanted?: EventType,
): Promise<DeliveryId> {
  const { orgId } = caller
  return inOrganisation(database, orgId, async (sql) => {
    const webhook = await readWebhook(sql, orgId, id)
    const eventType = webhook.eventTypes.find((type) => type === (wanted ?? type))
    if (!eventType) throw new DomainError('EVENT_TYPE_NOT_SUBSCRIBED')
    const event = newSyntheticEvent(eventType, await databaseNow(sql))
    await insertEvents(sql, orgId, [event])
    const delivery = await insertDelivery(sql, orgId, { webhookId: id, eventId: event.id, kind: 'TEST', status: 'WAITING' })
    await requestDeliveries(sql, orgId, [delivery])
    await recordAdminEvent(sql, caller, { action: 'webhook.tested', detail: activityDetail(webhook, { eventType }) })
    return delivery
  })
}

/** Waits for as long as an attempt may take, and a little more. */
async function awaitAttempt(
  { database, settings }: Pick<Core, 'database' | 'settings'>,
  orgId: OrgId,
  id: DeliveryId,
): Promise<Attempt | undefined> {
  const deadline = performance.now() + settings.webhookTimeoutSeconds * 1000 + WEBHOOK_TEST_MARGIN_MS
  for (let wait = FIRST_POLL_MS; performance.now() < deadline; wait = Math.min(wait * 1.5, 250)) {
    await delay(wait)
    const [result] = await queryInOrganisation(database, orgId, (sql) => selectResult(sql, orgId, id))
    if (result?.status !== 'WAITING') return result?.attempts.at(-1)
  }
  return undefined
}
