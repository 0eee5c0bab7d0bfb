// Lists the webhooks of an organisation, for its admins.
import type { Core, PersonCaller } from '#core/context.ts'
import { readInOrganisation } from '#core/platform/postgres/client.ts'
import { selectLastDay } from './delivery/health-store.ts'
import { type HourOfDeliveries, lastDayOf } from './delivery/last-day.ts'
import { selectWebhooks } from './store.ts'
import type { Webhook } from './webhook.ts'

export interface ListedWebhook extends Webhook {
  /** 24 hours, oldest first. */
  lastDay: HourOfDeliveries[]
}

/** Oldest first. */
export async function listWebhooks(
  core: Pick<Core, 'database'>,
  { orgId }: Pick<PersonCaller, 'orgId'>,
): Promise<ListedWebhook[]> {
  return readInOrganisation(core.database, orgId, async (sql) => {
    const webhooks = await selectWebhooks(sql, orgId)
    const hours = await selectLastDay(sql, orgId)
    return webhooks.map((webhook) => ({ ...webhook, lastDay: lastDayOf(webhook.id, hours) }))
  })
}
