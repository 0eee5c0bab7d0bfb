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
import type { AuthoredWebhook } from './managed-webhook.ts'
import { haveSameEvents } from './rules.ts'
import { setSuspended } from './set-suspended.ts'

/** The caller holds the row lock of `before`. `read`: the secret that a worker read for the object. */
export async function changeAuthored(
  sql: Sql,
  core: Pick<StorelessCore, 'keys' | 'settings'>,
  before: BoundWebhook,
  authored: AuthoredWebhook,
  read: string | undefined,
): Promise<void> {
  const { orgId, id } = before
  const { url, description } = authored
  const eventTypes = haveSameEvents(before.eventTypes, authored.events) ? before.eventTypes : authored.events
  const changed = changedFields(before, { url, description, eventTypes })
  await bindObject(sql, orgId, id, authored)
  if (changed.length > 0) {
    await changeWebhook(sql, orgId, id, { url, description, eventTypes })
    await recordKubernetesEvent(sql, orgId, authored, {
      action: 'webhook.updated',
      detail: activityDetail({ id, url }, { changed }),
    })
  }
  if (authored.secret !== 'GIVEN') await endGivenSecret(sql, core, before, authored)
  else if (read !== undefined) await giveSecret(sql, core, before, authored, read)
  const votes = await setSuspended(sql, { ...before, url, object: authored }, authored.suspend)
  // As after a change in the panel.
  if (changed.includes('url') && isProbed(votes)) await requestProbe(sql, orgId, id)
}

/** A new text of the author's secret is a rotation. */
async function giveSecret(
  sql: Sql,
  core: Pick<StorelessCore, 'keys' | 'settings'>,
  before: BoundWebhook,
  authored: AuthoredWebhook,
  secret: string,
): Promise<void> {
  const { orgId, id, secretBox } = before
  if (secret === core.keys.open(secretBox, secretContext(id))) return setSecretGiven(sql, orgId, id)
  await replaceAuthored(sql, core, before, authored, boxSecret(core.keys, id, secret, true))
}

/** The object names no Secret any more: a generated secret follows the given one, of which there would be no other copy. */
async function endGivenSecret(
  sql: Sql,
  core: Pick<StorelessCore, 'keys' | 'settings'>,
  before: BoundWebhook,
  authored: AuthoredWebhook,
): Promise<void> {
  if (before.secretIsGiven) await replaceAuthored(sql, core, before, authored, generateSecret(core.keys, before.id))
}

async function replaceAuthored(
  sql: Sql,
  { settings }: Pick<StorelessCore, 'settings'>,
  { orgId, id }: BoundWebhook,
  authored: AuthoredWebhook,
  boxed: BoxedSecret,
): Promise<void> {
  await replaceSecret(sql, orgId, id, { ...boxed, graceSeconds: settings.webhookSecretGraceSeconds, isShown: true })
  const detail = activityDetail({ id, url: authored.url })
  await recordKubernetesEvent(sql, orgId, authored, { action: 'webhook.secret-rotated', detail })
}
