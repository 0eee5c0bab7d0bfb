// Hands deliveries to the workers, in the transaction that adds them to the history.
import type { DeliveryId, OrgId } from '#core/ids.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { DELIVERY_WORK } from './delivery-job.ts'
import { insertDeliveryJobs } from './store.ts'

/** One message tells the workers of all: it names the organisation, whose due deliveries they claim. */
export async function requestDeliveries(sql: Sql, orgId: OrgId, ids: readonly DeliveryId[]): Promise<void> {
  const [id] = ids
  if (!id) return
  await insertDeliveryJobs(sql, orgId, ids)
  await insertOutbox(sql, orgId, { orderKey: orgId, subject: DELIVERY_WORK.subject, body: { orgId, id } })
}
