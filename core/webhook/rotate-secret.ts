// Makes a new signing secret. For a time deliveries are signed with both, so that receivers can change over.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { WebhookId } from '#core/ids.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { activityDetail } from './activity-detail.ts'
import { readWebhook } from './get-webhook.ts'
import { lockForChange } from './lock-for-change.ts'
import { generateSecret } from './secret.ts'
import { replaceSecret } from './secret-store.ts'
import type { Webhook } from './webhook.ts'

/** The record with the new secret, which is shown only here. Throws WEBHOOK_NOT_FOUND, MANAGED_BY_KUBERNETES, SECRET_ROTATION_IN_PROGRESS. */
export async function rotateSecret(
  { database, keys, settings }: Pick<Core, 'database' | 'keys' | 'settings'>,
  caller: PersonCaller,
  id: WebhookId,
): Promise<Webhook & { secret: string }> {
  const { orgId } = caller
  const { secret, ...boxed } = generateSecret(keys, id)
  return inOrganisation(database, orgId, async (sql) => {
    const webhook = await lockForChange(sql, orgId, id)
    if (webhook.previousSecretExpiresAt) throw inProgress(webhook.previousSecretExpiresAt)
    await replaceSecret(sql, orgId, id, { ...boxed, graceSeconds: settings.webhookSecretGraceSeconds, isShown: true })
    await recordAdminEvent(sql, caller, { action: 'webhook.secret-rotated', detail: activityDetail(webhook) })
    return { ...(await readWebhook(sql, orgId, id)), secret }
  })
}

function inProgress(endsAt: Date): DomainError {
  const message = `The previous secret is valid until ${endsAt.toISOString()}. Revoke it first, or wait until then.`
  return new DomainError('SECRET_ROTATION_IN_PROGRESS', { message })
}
