// One delivery of a webhook, with the body that is sent.
import type { Core, PersonCaller } from '#core/context.ts'
import type { DeliveryId, OrgId, WebhookId } from '#core/ids.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { readInOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { readWebhook } from '#core/webhook/get-webhook.ts'
import type { DeliveryWithBody } from './delivery.ts'
import { type History, selectDelivery } from './history-store.ts'

export interface DeliveryPath {
  webhookId: WebhookId
  deliveryId: DeliveryId
}

/** Throws WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND. */
export async function getDelivery(
  { database, settings }: Pick<Core, 'database' | 'settings'>,
  { orgId }: PersonCaller,
  { webhookId, deliveryId }: DeliveryPath,
): Promise<DeliveryWithBody> {
  return readInOrganisation(database, orgId, async (sql) => {
    await readWebhook(sql, orgId, webhookId)
    return readDelivery(sql, orgId, { webhookId, keptSeconds: settings.webhookHistorySeconds }, deliveryId)
  })
}

/** Within a transaction. Throws DELIVERY_NOT_FOUND. */
export async function readDelivery(sql: Sql, orgId: OrgId, history: History, id: DeliveryId): Promise<DeliveryWithBody> {
  const [delivery] = await selectDelivery(sql, orgId, history, id)
  if (!delivery) throw new DomainError('DELIVERY_NOT_FOUND')
  return delivery
}
