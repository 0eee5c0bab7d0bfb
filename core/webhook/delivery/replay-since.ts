// Sends every event again whose delivery to a webhook gave up, after an outage of the receiver.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { WebhookId } from '#core/ids.ts'
import { MAX_REPLAYED_AT_ONCE } from '#core/limits.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { activityDetail } from '#core/webhook/activity-detail.ts'
import { readWebhook } from '#core/webhook/get-webhook.ts'
import { lockWebhook } from '#core/webhook/store.ts'
import { insertReplays } from './replay-store.ts'
import { requestDeliveries } from './request-deliveries.ts'

/** How many events are sent again: at most 10,000, oldest first. Those that wait for a delivery are not sent twice, so that a repeated call sends the
 *  next ones. Throws WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED. */
export async function replaySince(
  { database, settings }: Pick<Core, 'database' | 'settings'>,
  caller: PersonCaller,
  webhookId: WebhookId,
  since: Date,
): Promise<number> {
  const { orgId } = caller
  const history = { webhookId, keptSeconds: settings.webhookHistorySeconds }
  return inOrganisation(database, orgId, async (sql) => {
    // Concurrent calls do not send the same events.
    await lockWebhook(sql, orgId, webhookId)
    const webhook = await readWebhook(sql, orgId, webhookId)
    if (webhook.disabledReason !== null) throw new DomainError('WEBHOOK_DISABLED')
    const ids = await insertReplays(sql, orgId, history, since, MAX_REPLAYED_AT_ONCE)
    await requestDeliveries(sql, orgId, ids)
    const detail = activityDetail(webhook, { since: since.toISOString(), count: ids.length })
    await recordAdminEvent(sql, caller, { action: 'webhook.deliveries-replayed', detail })
    return ids.length
  })
}
