// Changes the webhook of an object in Kubernetes to what the object says now. Writes only what differs.
import { recordKubernetesEvent } from '#core/account/activity/record-admin-event.ts'
import type { StorelessCore } from '#core/context.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { activityDetail } from '#core/webhook/activity-detail.ts'
import { requestProbe } from '#core/webhook/probe/request-probe.ts'
import { changedFields, isProbed } from '#core/webhook/rules.ts'
import { type BoxedSecret, boxSecret, generateSecret, secretContext } from '#core/webhook/secret.ts'
import { replaceSecret } from '#core/webhook/secret-store.ts'
import { changeWebhook } from '#core/webhook/store.ts'
import { bindObject, type BoundWebhook, setSecretGiven } from './managed-store.ts'
import type { ManagedWebhook } from './managed-webhook.ts'
import { haveSameEvents } from './rules.ts'
import { setSuspended } from './set-suspended.ts'

/** The caller holds the row lock of `before`. `read`: the secret that a worker read for the object. */
export async function changeManaged(
  sql: Sql,
  core: Pick<StorelessCore, 'keys' | 'settings'>,
  before: BoundWebhook,
  managed: ManagedWebhook,
  read: string | undefined,
): Promise<void> {
  const { orgId, id } = before
  const { url, description } = managed
  const eventTypes = haveSameEvents(before.eventTypes, managed.events) ? before.eventTypes : managed.events
  const changed = changedFields(before, { url, description, eventTypes })
  await bindObject(sql, orgId, id, managed)
  if (changed.length > 0) {
    await changeWebhook(sql, orgId, id, { url, description, eventTypes })
    await recordKubernetesEvent(sql, orgId, managed, {
      action: 'webhook.updated',
      detail: activityDetail({ id, url }, { changed }),
    })
  }
  if (managed.secret !== 'GIVEN') await endGivenSecret(sql, core, before, managed)
  else if (read !== undefined) await giveSecret(sql, core, before, managed, read)
  const votes = await setSuspended(sql, { ...before, url, object: managed }, managed.suspend)
  // As after a change in the panel.
  if (changed.includes('url') && isProbed(votes)) await requestProbe(sql, orgId, id)
}

/** Rotates to a new text of the given secret. */
async function giveSecret(
  sql: Sql,
  core: Pick<StorelessCore, 'keys' | 'settings'>,
  before: BoundWebhook,
  managed: ManagedWebhook,
  secret: string,
): Promise<void> {
  const { orgId, id, secretBox } = before
  if (secret === core.keys.open(secretBox, secretContext(id))) return setSecretGiven(sql, orgId, id)
  await replaceManaged(sql, core, before, managed, boxSecret(core.keys, id, secret, true))
}

/** The object names no Secret any more: a generated secret follows the given one, of which there would be no other copy. */
async function endGivenSecret(
  sql: Sql,
  core: Pick<StorelessCore, 'keys' | 'settings'>,
  before: BoundWebhook,
  managed: ManagedWebhook,
): Promise<void> {
  if (before.secretIsGiven) await replaceManaged(sql, core, before, managed, generateSecret(core.keys, before.id))
}

async function replaceManaged(
  sql: Sql,
  { settings }: Pick<StorelessCore, 'settings'>,
  { orgId, id }: BoundWebhook,
  managed: ManagedWebhook,
  boxed: BoxedSecret,
): Promise<void> {
  await replaceSecret(sql, orgId, id, { ...boxed, graceSeconds: settings.webhookSecretGraceSeconds, isShown: true })
  const detail = activityDetail({ id, url: managed.url })
  await recordKubernetesEvent(sql, orgId, managed, { action: 'webhook.secret-rotated', detail })
}
