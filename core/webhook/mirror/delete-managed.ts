// Deletes the webhook of a deleted object. Its delivery history is kept until it ages out.
import { recordKubernetesEvent } from '#core/account/activity/record-admin-event.ts'
import type { StorelessCore } from '#core/context.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { activityDetail } from '#core/webhook/activity-detail.ts'
import { closeDeliveries } from '#core/webhook/delivery/settle-store.ts'
import { deleteWebhookRow } from '#core/webhook/store.ts'
import { lockBound } from './managed-store.ts'
import { forgetObject } from './secret-object-store.ts'

/** Closes the deliveries that wait for it. Does nothing when there is none, or when it was created in the panel. Throws FencedError. */
export async function deleteManaged(core: Pick<StorelessCore, 'database'>, fence: Fence, uid: string): Promise<void> {
  await inFencedTransaction(core, fence, async (sql) => {
    await deleteManagedIn(sql, uid)
    await forgetObject(sql, uid)
  })
}

/** The webhook only, within a transaction. */
export async function deleteManagedIn(sql: Sql, uid: string): Promise<void> {
  const webhook = await lockBound(sql, { uid })
  if (webhook?.origin !== 'KUBERNETES') return
  const { orgId, id, object } = webhook
  await closeDeliveries(sql, orgId, id, 'ENDPOINT_DELETED')
  await deleteWebhookRow(sql, orgId, id)
  await recordKubernetesEvent(sql, orgId, object, { action: 'webhook.deleted', detail: activityDetail(webhook) })
}
