// Sends the event of a delivery again: the same id and body, with a fresh signature. The recorded delivery is not changed.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { activityDetail } from '#core/webhook/activity-detail.ts'
import { readWebhook } from '#core/webhook/get-webhook.ts'
import type { DeliveryWithBody } from './delivery.ts'
import { type DeliveryPath, readDelivery } from './get-delivery.ts'
import { requestDeliveries } from './request-deliveries.ts'
import { insertDelivery } from './store.ts'

/** The new delivery. A test or probe is repeated as a test, with one attempt, also while the webhook is disabled.
 *  Throws WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND, DELIVERY_WITHOUT_BODY, WEBHOOK_DISABLED. */
export async function replayDelivery(
  { database, settings }: Pick<Core, 'database' | 'settings'>,
  caller: PersonCaller,
  { webhookId, deliveryId }: DeliveryPath,
): Promise<DeliveryWithBody> {
  const { orgId } = caller
  const history = { webhookId, keptSeconds: settings.webhookHistorySeconds }
  return inOrganisation(database, orgId, async (sql) => {
    const webhook = await readWebhook(sql, orgId, webhookId)
    const { eventId, body, kind } = await readDelivery(sql, orgId, history, deliveryId)
    const isTest = kind === 'TEST' || kind === 'PROBE'
    if (body === null) throw new DomainError('DELIVERY_WITHOUT_BODY')
    if (webhook.disabledReason !== null && !isTest) throw new DomainError('WEBHOOK_DISABLED')
    const id = await insertDelivery(sql, orgId, { webhookId, eventId, kind: isTest ? 'TEST' : 'REPLAY', status: 'WAITING' })
    await requestDeliveries(sql, orgId, [id])
    const detail = activityDetail(webhook, { deliveryId: id, eventId })
    await recordAdminEvent(sql, caller, { action: 'webhook.delivery-replayed', detail })
    return readDelivery(sql, orgId, history, id)
  })
}
