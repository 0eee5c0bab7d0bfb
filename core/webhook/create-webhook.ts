// Adds a webhook to an organisation: from now on it gets the events of its types.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { newId, WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import type { Lookup } from './address/vet-target.ts'
import { assertTarget } from './assert-target.ts'
import { readWebhook } from './get-webhook.ts'
import { generateSecret } from './secret.ts'
import { countWebhooks, insertWebhook, lockAdding } from './store.ts'
import type { Webhook } from './webhook.ts'
import { activityDetail } from './activity-detail.ts'

export interface WebhookInput {
  url: string
  description?: string | undefined
  eventTypes: readonly EventType[]
}

/** The record with its secret, which is shown only here. Throws WEBHOOK_URL_REFUSED, WEBHOOK_LIMIT_REACHED. */
export async function createWebhook(
  core: Pick<Core, 'database' | 'keys' | 'settings'>,
  caller: PersonCaller,
  { url, description = '', eventTypes }: WebhookInput,
  lookup?: Lookup,
): Promise<Webhook & { secret: string }> {
  const { orgId } = caller
  await assertTarget(core, url, lookup)
  const id = newId(WebhookId)
  const { secret, ...boxed } = generateSecret(core.keys, id)
  return inOrganisation(core.database, orgId, async (sql) => {
    await lockAdding(sql, orgId)
    await assertBelowLimit(sql, caller, core.settings.webhookMaxPerOrg)
    await insertWebhook(sql, orgId, { id, url, description, eventTypes, ...boxed })
    await recordAdminEvent(sql, caller, { action: 'webhook.created', detail: activityDetail({ id, url }) })
    return { ...(await readWebhook(sql, orgId, id)), secret }
  })
}

async function assertBelowLimit(sql: Sql, { orgId }: PersonCaller, most: number): Promise<void> {
  if ((await countWebhooks(sql, orgId)) < most) return
  throw new DomainError('WEBHOOK_LIMIT_REACHED', { message: `An organisation can have at most ${most} webhooks.` })
}
