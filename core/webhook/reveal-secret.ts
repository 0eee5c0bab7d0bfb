// Shows a secret that was made outside the panel, once.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { WebhookId } from '#core/ids.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { activityDetail } from './activity-detail.ts'
import { readWebhook } from './get-webhook.ts'
import { assertManagedHere } from './lock-for-change.ts'
import { secretContext } from './secret.ts'
import { takeUnshownSecret } from './secret-store.ts'
import type { Webhook } from './webhook.ts'

/** The record with its secret. Throws WEBHOOK_NOT_FOUND, SECRET_ALREADY_SHOWN, and MANAGED_BY_KUBERNETES for one whose Secret is there. */
export async function revealSecret(
  { database, keys }: Pick<Core, 'database' | 'keys'>,
  caller: PersonCaller,
  id: WebhookId,
): Promise<Webhook & { secret: string }> {
  const { orgId } = caller
  return inOrganisation(database, orgId, async (sql) => {
    const secretBox = await takeUnshownSecret(sql, orgId, id)
    const webhook = await readWebhook(sql, orgId, id)
    assertManagedHere(webhook)
    if (!secretBox) throw new DomainError('SECRET_ALREADY_SHOWN')
    await recordAdminEvent(sql, caller, { action: 'webhook.secret-revealed', detail: activityDetail(webhook) })
    return { ...webhook, secret: keys.open(secretBox, secretContext(id)) }
  })
}
