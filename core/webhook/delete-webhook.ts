// Deletes a webhook. Its delivery history is kept until it ages out.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { WebhookId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { activityDetail } from './activity-detail.ts'
import { closeDeliveries } from './delivery/settle-store.ts'
import { lockForChange } from './lock-for-change.ts'
import { deleteWebhookRow } from './store.ts'

/** Closes the deliveries that wait for it. Throws WEBHOOK_NOT_FOUND, MANAGED_BY_KUBERNETES. */
export async function deleteWebhook(core: Pick<Core, 'database'>, caller: PersonCaller, id: WebhookId): Promise<void> {
  const { orgId } = caller
  await inOrganisation(core.database, orgId, async (sql) => {
    const webhook = await lockForChange(sql, orgId, id)
    await closeDeliveries(sql, orgId, id, 'ENDPOINT_DELETED')
    await deleteWebhookRow(sql, orgId, id)
    await recordAdminEvent(sql, caller, { action: 'webhook.deleted', detail: activityDetail(webhook) })
  })
}
