// Changes a webhook. Deliveries that wait are sent to the new address.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { WebhookId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { activityDetail } from './activity-detail.ts'
import type { Lookup } from './address/vet-target.ts'
import { assertTarget } from './assert-target.ts'
import { getWebhook, readWebhook } from './get-webhook.ts'
import { assertManagedHere, lockForChange } from './lock-for-change.ts'
import { requestProbe } from './probe/request-probe.ts'
import { changedFields, isProbed, type WebhookChange } from './rules.ts'
import { changeWebhook } from './store.ts'
import type { Webhook } from './webhook.ts'
import { switchByAdmin } from './switch-by-admin.ts'

type UpdateCore = Pick<Core, 'database' | 'keys' | 'settings'>

/** Throws WEBHOOK_NOT_FOUND, MANAGED_BY_KUBERNETES, WEBHOOK_URL_REFUSED. */
export async function updateWebhook(
  core: UpdateCore,
  caller: PersonCaller,
  id: WebhookId,
  change: WebhookChange & { enabled?: boolean | undefined },
  lookup?: Lookup,
): Promise<Webhook> {
  const { orgId } = caller
  // The address is resolved before the row is locked. An unchanged one is not checked, so that the rest can be changed while its name does not resolve.
  const current = await getWebhook(core, caller, id)
  assertManagedHere(current)
  if (change.url !== undefined && change.url !== current.url) await assertTarget(core, change.url, lookup)
  return inOrganisation(core.database, orgId, async (sql) => {
    const before = await lockForChange(sql, orgId, id)
    const changed = changedFields(before, change)
    if (changed.length > 0) await changeWebhook(sql, orgId, id, change)
    const after = { ...before, url: change.url ?? before.url }
    if (changed.length > 0)
      await recordAdminEvent(sql, caller, { action: 'webhook.updated', detail: activityDetail(after, { changed }) })
    if (change.enabled !== undefined) await switchByAdmin(sql, caller, after, change.enabled)
    const now = await readWebhook(sql, orgId, id)
    if (!changed.includes('url') || !isProbed(now)) return now
    await requestProbe(sql, orgId, id)
    return readWebhook(sql, orgId, id)
  })
}
