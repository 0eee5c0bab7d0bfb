// An admin enables or disables a webhook. The caller holds its row lock.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { activityDetail } from './activity-detail.ts'
import type { Webhook } from './webhook.ts'
import { disableWebhook, enableWebhook } from './switch-webhook.ts'

/** Does nothing when it is in that state already; disabling one that was disabled automatically ends its probes. Throws MANAGED_BY_KUBERNETES. */
export async function switchByAdmin(
  sql: Sql,
  core: Pick<Core, 'keys' | 'settings'>,
  caller: PersonCaller,
  { id, url, disabledReason: reason }: Pick<Webhook, 'id' | 'url' | 'disabledReason'>,
  enabled: boolean,
): Promise<void> {
  if (reason === 'SUSPENDED' && enabled) throw new DomainError('MANAGED_BY_KUBERNETES')
  if (enabled && reason !== null) {
    await enableWebhook(sql, caller.orgId, id)
    await recordAdminEvent(sql, caller, { action: 'webhook.enabled', detail: activityDetail({ id, url }) })
  }
  if (!enabled && (reason === null || reason === 'AUTOMATIC')) {
    await disableWebhook(sql, core, caller.orgId, { id, url, reason: 'BY_ADMIN' })
    await recordAdminEvent(sql, caller, { action: 'webhook.disabled', detail: activityDetail({ id, url }) })
  }
}
