// The SQL that reads a webhook's delivery history.
import type { DeliveryId, OrgId, WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Delivery, DeliveryFilter, DeliveryWithBody } from './delivery.ts'

export interface History {
  webhookId: WebhookId
  /** Older deliveries are not shown. */
  keptSeconds: number
}

function columns(sql: Sql) {
  return sql`
    d.id, d.event_id, d.event_type, d.kind, d.status, d.reason, d.created_at, d.attempts,
    (select j.due_at from delivery_jobs j
     where j.org_id = d.org_id and j.id = d.id and j.state = 'WAITING' and j.due_at > '-infinity') as next_attempt_at`
}

function isShown(sql: Sql, orgId: OrgId, { webhookId, keptSeconds }: History) {
  return sql`d.org_id = ${orgId} and d.webhook_id = ${webhookId}
    and d.id >= first_id_of(sealwright_now() - make_interval(secs => ${keptSeconds}))`
}

function matches(sql: Sql, { statuses, eventType }: DeliveryFilter) {
  return sql`
    ${statuses.length > 0 ? sql`and d.status = any(${sql.array([...statuses])}::text[])` : sql``}
    ${eventType ? sql`and d.event_type = ${eventType}` : sql``}`
}

/** One page, newest first. */
export async function selectDeliveries(
  sql: Sql,
  orgId: OrgId,
  history: History,
  filter: DeliveryFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<Delivery[]> {
  return sql<Delivery[]>`
    select ${columns(sql)}
    from deliveries d
    where ${isShown(sql, orgId, history)} ${matches(sql, filter)}
    order by d.id desc
    limit ${limit}
    offset ${offset}`
}

/** The number of rows, counted up to `most`. */
export async function countDeliveries(
  sql: Sql,
  orgId: OrgId,
  history: History,
  filter: DeliveryFilter,
  most: number,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from (select from deliveries d where ${isShown(sql, orgId, history)} ${matches(sql, filter)} limit ${most}) m`
  return row?.count ?? 0
}

/** One delivery with its body; none when it is older or another webhook's. */
export async function selectDelivery(sql: Sql, orgId: OrgId, history: History, id: DeliveryId): Promise<DeliveryWithBody[]> {
  return sql<DeliveryWithBody[]>`
    select ${columns(sql)}, e.body
    from deliveries d
    join events e on e.org_id = d.org_id and e.id = d.event_id
    where ${isShown(sql, orgId, history)} and d.id = ${id}`
}
