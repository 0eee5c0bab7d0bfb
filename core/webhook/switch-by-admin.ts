// An admin enables or disables a webhook. The caller holds its row lock.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { activityDetail } from './activity-detail.ts'
import { nameOfObject } from './lock-for-change.ts'
import { disableWebhook, enableWebhook } from './switch-webhook.ts'
import type { Webhook } from './webhook.ts'

/** Casts or ends the admin's vote; a suspension stays in any case. Does nothing when the vote is that already; disabling a webhook that was disabled
 *  automatically ends its probes. Throws MANAGED_BY_KUBERNETES when only a suspension is left to end. */
export async function switchByAdmin(sql: Sql, caller: PersonCaller, webhook: Webhook, enabled: boolean): Promise<void> {
  const { id, disabledByAdmin, disabledAutomatically, suspended } = webhook
  if (enabled && (disabledByAdmin || disabledAutomatically)) {
    await enableWebhook(sql, caller.orgId, id)
    await recordAdminEvent(sql, caller, { action: 'webhook.enabled', detail: activityDetail(webhook) })
  } else if (enabled && suspended) throw isSuspended(webhook)
  if (enabled || disabledByAdmin) return
  await disableWebhook(sql, caller.orgId, id, 'BY_ADMIN')
  await recordAdminEvent(sql, caller, { action: 'webhook.disabled', detail: activityDetail(webhook) })
}

function isSuspended({ object }: Webhook): DomainError {
  const message = `The webhook is suspended by the ${nameOfObject(object)}. Set \`suspend\` to false there.`
  return new DomainError('MANAGED_BY_KUBERNETES', { message })
}
