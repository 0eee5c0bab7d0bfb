// Ends the grace period of a rotation at once, when every receiver uses the new secret or the old one has leaked.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { WebhookId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { activityDetail } from './activity-detail.ts'
import { lockForChange } from './lock-for-change.ts'
import { deletePreviousSecret } from './secret-store.ts'

/** Does nothing when there is no previous secret. Throws WEBHOOK_NOT_FOUND, MANAGED_BY_KUBERNETES. */
export async function revokePreviousSecret(core: Pick<Core, 'database'>, caller: PersonCaller, id: WebhookId): Promise<void> {
  const { orgId } = caller
  await inOrganisation(core.database, orgId, async (sql) => {
    const webhook = await lockForChange(sql, orgId, id)
    if (!webhook.previousSecretExpiresAt) return
    await deletePreviousSecret(sql, orgId, id)
    await recordAdminEvent(sql, caller, { action: 'webhook.previous-secret-revoked', detail: activityDetail(webhook) })
  })
}
