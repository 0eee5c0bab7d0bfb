// The SQL of delivery records that are not planned by an event, and their jobs.
import type { DeliveryId, OrgId, WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { currentTraceParent } from '#core/platform/trace/spans.ts'
import type { DeliveryStatus } from '#core/webhook/rules.ts'
import { type Attempt, attemptToJson } from '#core/webhook/request/attempt.ts'
import type { Delivery } from './delivery.ts'

export interface NewDelivery {
  webhookId: WebhookId
  eventId: string
  kind: 'REPLAY' | 'TEST' | 'PROBE'
  status: DeliveryStatus
  /** Attempts already made. */
  attempts?: readonly Attempt[]
}

/** Adds a record for an event of the organisation; returns its id. */
export async function insertDelivery(sql: Sql, orgId: OrgId, delivery: NewDelivery): Promise<DeliveryId> {
  const [row] = await sql<{ id: DeliveryId }[]>`
    insert into deliveries (org_id, id, webhook_id, event_id, event_type, kind, status, attempts, created_at)
    select ${orgId}, time_ordered_id(sealwright_now(), uuid_send(gen_random_uuid())), ${delivery.webhookId}, e.id, e.type, ${delivery.kind},
      ${delivery.status}, ${sql.json((delivery.attempts ?? []).map(attemptToJson))}, sealwright_now()
    from events e
    where e.org_id = ${orgId} and e.id = ${delivery.eventId}
    returning id`
  if (!row) throw new Error('The event of the delivery does not exist.')
  return row.id
}

/** Makes waiting deliveries due. Tests go before all other deliveries of their webhook. */
export async function insertDeliveryJobs(sql: Sql, orgId: OrgId, ids: readonly DeliveryId[]): Promise<void> {
  await sql`
    insert into delivery_jobs (org_id, id, webhook_id, event_id, envelope_id, seq, is_test, due_at, trace_parent)
    select d.org_id, d.id, d.webhook_id, d.event_id, e.envelope_id, e.seq, d.kind = 'TEST',
      case when d.kind = 'TEST' then '-infinity' else sealwright_now() end, ${currentTraceParent()}
    from deliveries d
    join events e on e.org_id = d.org_id and e.id = d.event_id
    where d.org_id = ${orgId} and d.id = any(${sql.array([...ids])}::uuid[])`
}

/** How far a delivery is. */
export function selectResult(sql: Sql, orgId: OrgId, id: DeliveryId) {
  return sql<Pick<Delivery, 'status' | 'attempts'>[]>`
    select status, attempts from deliveries where org_id = ${orgId} and id = ${id}`
}
