// Adds the webhook of an object in Kubernetes.
import { recordKubernetesEvent } from '#core/account/activity/record-admin-event.ts'
import type { StorelessCore } from '#core/context.ts'
import { newId, WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { activityDetail } from '#core/webhook/activity-detail.ts'
import { boxSecret, generateSecret } from '#core/webhook/secret.ts'
import { insertAuthored } from './managed-store.ts'
import type { AuthoredWebhook } from './managed-webhook.ts'
import { setSuspended } from './set-suspended.ts'

/** Within a transaction that holds the lock of `lockAdding`. `read`: the secret that a worker read for it. */
export async function createAuthored(
  sql: Sql,
  { keys }: Pick<StorelessCore, 'keys'>,
  authored: AuthoredWebhook,
  read: string | undefined,
): Promise<void> {
  if (authored.secret !== 'GENERATED' && read === undefined) throw new Error('The secret of the webhook was not read yet.')
  const { orgId, url, description, events, suspend } = authored
  const id = newId(WebhookId)
  const isGiven = authored.secret === 'GIVEN'
  const boxed = read === undefined ? generateSecret(keys, id) : boxSecret(keys, id, read, isGiven)
  await insertAuthored(sql, orgId, {
    id,
    url,
    description,
    eventTypes: events,
    ...boxed,
    object: authored,
  })
  await recordKubernetesEvent(sql, orgId, authored, { action: 'webhook.created', detail: activityDetail({ id, url }) })
  const votes = { disabledByAdmin: false, suspended: false, disabledAutomatically: false }
  await setSuspended(sql, { orgId, id, url, object: authored, ...votes }, suspend)
}
