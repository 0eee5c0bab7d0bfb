// Lists the webhooks of an organisation, for its admins.
import type { Core, PersonCaller } from '#core/context.ts'
import { queryInOrganisation } from '#core/platform/postgres/client.ts'
import { selectWebhooks } from './store.ts'
import type { Webhook } from './webhook.ts'

/** Oldest first. */
export async function listWebhooks(core: Pick<Core, 'database'>, { orgId }: Pick<PersonCaller, 'orgId'>): Promise<Webhook[]> {
  return queryInOrganisation(core.database, orgId, (sql) => selectWebhooks(sql, orgId))
}
