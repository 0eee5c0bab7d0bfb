// Adds the webhook of an object in Kubernetes.
import { recordKubernetesEvent } from '#core/account/activity/record-admin-event.ts'
import type { StorelessCore } from '#core/context.ts'
import { newId, WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { activityDetail } from '#core/webhook/activity-detail.ts'
import { boxSecret, generateSecret } from '#core/webhook/secret.ts'
import { insertManaged } from './managed-store.ts'
import type { ManagedWebhook } from './managed-webhook.ts'
import { setSuspended } from './set-suspended.ts'

/** Within a transaction that holds the lock of `lockAdding`. `read`: the secret that a worker read for it. */
export async function createManaged(
  sql: Sql,
  { keys }: Pick<StorelessCore, 'keys'>,
  managed: ManagedWebhook,
  read: string | undefined,
): Promise<void> {
  if (managed.secret !== 'GENERATED' && read === undefined) throw new Error('The secret of the webhook was not read yet.')
  const { orgId, url, description, events, suspend } = managed
  const id = newId(WebhookId)
  const isGiven = managed.secret === 'GIVEN'
  const boxed = read === undefined ? generateSecret(keys, id) : boxSecret(keys, id, read, isGiven)
  await insertManaged(sql, orgId, {
    id,
    url,
    description,
    eventTypes: events,
    ...boxed,
    object: managed,
  })
  await recordKubernetesEvent(sql, orgId, managed, { action: 'webhook.created', detail: activityDetail({ id, url }) })
  const votes = { disabledByAdmin: false, suspended: false, disabledAutomatically: false }
  await setSuspended(sql, { orgId, id, url, object: managed, ...votes }, suspend)
}
