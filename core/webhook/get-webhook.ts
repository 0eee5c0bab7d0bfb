// Reads one webhook.
import type { Core, PersonCaller } from '#core/context.ts'
import type { OrgId, WebhookId } from '#core/ids.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { queryInOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { selectWebhooks } from './store.ts'
import type { Webhook } from './webhook.ts'

/** Throws WEBHOOK_NOT_FOUND. */
export async function getWebhook(
  core: Pick<Core, 'database'>,
  { orgId }: Pick<PersonCaller, 'orgId'>,
  id: WebhookId,
): Promise<Webhook> {
  return foundIn(await queryInOrganisation(core.database, orgId, (sql) => selectWebhooks(sql, orgId, id)))
}

/** Reads the webhook within a transaction. */
export async function readWebhook(sql: Sql, orgId: OrgId, id: WebhookId): Promise<Webhook> {
  return foundIn(await selectWebhooks(sql, orgId, id))
}

function foundIn([webhook]: readonly Webhook[]): Webhook {
  if (!webhook) throw new DomainError('WEBHOOK_NOT_FOUND')
  return webhook
}
