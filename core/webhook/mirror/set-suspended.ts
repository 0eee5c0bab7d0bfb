// Casts or ends the vote of `suspend`.
import { recordKubernetesEvent } from '#core/account/activity/record-admin-event.ts'
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { activityDetail } from '#core/webhook/activity-detail.ts'
import type { Votes } from '#core/webhook/rules.ts'
import { disableWebhook, resumeWebhook } from '#core/webhook/switch-webhook.ts'

export interface SuspendableWebhook extends Votes {
  orgId: OrgId
  id: WebhookId
  url: string
  /** Null when it is not known. */
  object: { namespace: string; name: string } | null
}

/** Returns the votes from now on. The caller holds the row lock. */
export async function setSuspended(sql: Sql, webhook: SuspendableWebhook, suspend: boolean): Promise<Votes> {
  const { orgId, id, object, suspended, disabledByAdmin, disabledAutomatically } = webhook
  const votes = { disabledByAdmin, disabledAutomatically, suspended: suspend }
  if (suspend === suspended) return votes
  await (suspend ? disableWebhook(sql, orgId, id, 'SUSPENDED') : resumeWebhook(sql, orgId, id, votes))
  const action = suspend ? 'webhook.suspended' : 'webhook.resumed'
  await recordKubernetesEvent(sql, orgId, object, { action, detail: activityDetail(webhook) })
  return votes
}
